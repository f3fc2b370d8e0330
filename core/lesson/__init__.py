"""The building blocks a lesson page is made of; the only part of core that imports Streamlit."""
