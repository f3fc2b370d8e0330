"""The kit that lesson pages are built with. It is the only part of core that imports Streamlit."""
