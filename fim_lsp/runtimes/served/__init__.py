"""Models that run in a server: llama-server, Ollama, LM Studio, vLLM, or any that completes texts over HTTP.

The server knows nothing of us. It writes a draft and gives, for each token, the likely ones at its place.
Decoding follows the draft as it follows a network's own logits. If the engine refuses a token, the likeliest
one that fits is taken, and the rest of the draft is dropped: the connection is closed, so that the server
stops. Another request gets the text behind, and the server's own cache holds the text in front.

    address.py      a server's address, and its key
    wire.py         requests and answers over HTTP, bounded in time and size
    answer.py       an HTTP answer, parsed as it arrives
    watched.py      sockets that are waited at for a time only
    spare.py        a connection that is opened before a request needs it
    stream.py       an answer that arrives line by line
    draft.py        a draft as it arrives, read by a thread of its own
    runtime.py      drafts as a `Runtime`: the rows for decoding
    llama_server.py a server that exchanges tokens: the same texts as from the network in this process
    vllm.py         a vLLM with our plugin: tokens, constrained by the hole's grammar
    spoken.py       a server that exchanges text: drafts in tokens of our own
    completions.py  text by `/v1/completions`
    ollama.py       text by `/api/generate`
    finding.py      detects the kind of a server
"""
