# Taciturn as a service, or as a command: no root, nothing written but to /data, no network needed.
#
#   docker build -t taciturn .
#   docker run --rm --read-only --network none -v "$PWD:/data" taciturn sanitize note.txt --protect HIV -o released.txt
#   docker run --rm --read-only --tmpfs /tmp -p 127.0.0.1:8000:8000 taciturn serve --host 0.0.0.0
FROM python:3.13-slim AS build
RUN apt-get update && apt-get install --no-install-recommends -y gcc libc6-dev && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY pyproject.toml hatch_build.py README.md LICENSE ./
COPY src ./src
RUN python -m venv /opt/taciturn && /opt/taciturn/bin/pip install --no-cache-dir '.[files,review,batch]'

FROM python:3.13-slim
COPY --from=build /opt/taciturn /opt/taciturn
RUN useradd --create-home --uid 10001 taciturn && mkdir /data && chown taciturn /data
USER taciturn
WORKDIR /data
ENV PATH=/opt/taciturn/bin:$PATH OMP_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1
ENTRYPOINT ["taciturn"]
CMD ["--help"]
