# The page and the command line: docker run --publish 7860:7860 zero-scrolls, or docker run --rm zero-scrolls demo
FROM python:3.13-slim AS build
COPY . /source
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels /source

FROM python:3.13-slim
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir "$(ls /wheels/*.whl)[app,hub,frames,board,longbench]"
RUN useradd --create-home user
USER user
WORKDIR /home/user
EXPOSE 7860
ENTRYPOINT ["zero-scrolls"]
CMD ["app", "--host", "0.0.0.0", "--port", "7860"]
