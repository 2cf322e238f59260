"""The pages that crawls have collected."""
