# One image for the site and for workers and agents that other machines lend; see compose.yaml.
FROM python:3.11-slim-bookworm

# pg_dump and pg_restore are for the commands backup and restore.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends postgresql-client \
    && rm -rf /var/lib/apt/lists/*

WORKDIR /crawlsite
COPY pyproject.toml README.md ./
RUN pip install --no-cache-dir ".[scale]"
COPY . .
# Compiled here, since the account that runs them may not write beside them.
RUN python -m compileall -q apps crawlsite manage.py \
    && useradd --create-home crawlsite && mkdir /data && chown crawlsite /data
USER crawlsite
ENV CRAWLSITE_DATA=/data PYTHONUNBUFFERED=1
ENTRYPOINT ["python", "manage.py"]
CMD ["up", "--host", "0.0.0.0"]
