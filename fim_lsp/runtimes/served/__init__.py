"""Models that run in a server: llama-server, Ollama, LM Studio, vLLM, whatever completes texts over HTTP.

The server knows nothing of us. It is asked for a draft, and tells for each of its tokens which ones were
likely there. Decoding walks along the draft as it walks along a network's own logits; where the engine
refuses, the likeliest that fits is taken and the rest of the draft is dropped: the connection is closed, so
nothing more is computed. The text behind is asked for anew, and the server's own cache holds the text in
front of it.

    address.py      where a server is, and the key that it wants
    wire.py         requests and answers over HTTP, bounded in time and size
    stream.py       an answer that comes line by line
    draft.py        a draft as it comes in, read by a thread of its own
    runtime.py      drafts as a `Runtime`: the rows that decoding asks for
    llama_server.py a server that speaks tokens: the same texts as the network in this process would write
    vllm.py         a vLLM with our plugin in it: tokens, held to the hole's own grammar
    spoken.py       a server that speaks text: drafts in tokens of our own
    completions.py  text by `/v1/completions`
    ollama.py       text by `/api/generate`
    finding.py      which of these a server is
"""
