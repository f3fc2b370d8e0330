"""The course as a static site: every story, made once, for any web server or none."""
