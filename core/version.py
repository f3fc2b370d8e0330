"""The version of the course, as CHANGELOG.md has it; pyproject.toml and the container's label name the same one."""

VERSION = "0.1.0"
