# One image for the site and for workers and agents that other machines lend; see compose.yaml.
FROM python:3.11-slim-bookworm

# pg_dump and pg_restore are for the commands backup and restore, jemalloc for workers and agents.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libjemalloc2 postgresql-client \
    && rm -rf /var/lib/apt/lists/*

COPY . /source
# pip compiles what it installs: the account that runs it may not write beside it.
RUN pip install --no-cache-dir --constraint /source/constraints.txt "/source[scale]" && rm -r /source \
    && useradd --create-home crawlsite && mkdir /data && chown crawlsite /data
WORKDIR /home/crawlsite
USER crawlsite
ENV CRAWLSITE_DATA=/data PYTHONUNBUFFERED=1
ENTRYPOINT ["crawlsite"]
CMD ["up", "--host", "0.0.0.0"]
