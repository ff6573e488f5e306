"""The part of llama.h that we use, for cffi, from the release in our wheel (`.ci/llama-libraries`).

Structures are passed by value, so all of their fields are here. A developer who updates the release compares
them with its header; `tests/runtimes/test_llama_library.py` checks them against the release's defaults.
"""

from __future__ import annotations

DECLARATIONS = """
typedef int32_t llama_pos;
typedef int32_t llama_token;
typedef int32_t llama_seq_id;
typedef void * llama_model;
typedef void * llama_vocab;
typedef void * llama_context;
typedef void * llama_memory;
typedef void * ggml_backend_dev;

typedef bool (*ggml_abort_callback)(void * data);
typedef void (*ggml_log_callback)(int level, const char * text, void * user_data);
typedef bool (*llama_progress_callback)(float progress, void * user_data);

struct llama_model_params {
    void * devices;
    void * tensor_buft_overrides;
    int32_t n_gpu_layers;
    int split_mode;
    int load_mode;
    int lazy_mode;
    int32_t main_gpu;
    const float * tensor_split;
    llama_progress_callback progress_callback;
    void * progress_callback_user_data;
    void * kv_overrides;
    bool vocab_only;
    bool check_tensors;
    bool use_extra_bufts;
    bool no_host;
    bool no_alloc;
    bool load_mtp;
};

struct llama_context_params {
    uint32_t n_ctx;
    uint32_t n_batch;
    uint32_t n_ubatch;
    uint32_t n_seq_max;
    uint32_t n_rs_seq;
    uint32_t n_outputs_max;
    uint32_t n_outputs_max_per_seq;
    int32_t n_threads;
    int32_t n_threads_batch;
    int ctx_type;
    int rope_scaling_type;
    int pooling_type;
    int attention_type;
    int flash_attn_type;
    float rope_freq_base;
    float rope_freq_scale;
    float yarn_ext_factor;
    float yarn_attn_factor;
    float yarn_beta_fast;
    float yarn_beta_slow;
    uint32_t yarn_orig_ctx;
    float defrag_thold;
    void * cb_eval;
    void * cb_eval_user_data;
    int type_k;
    int type_v;
    ggml_abort_callback abort_callback;
    void * abort_callback_data;
    bool embeddings;
    bool offload_kqv;
    bool no_perf;
    bool op_offload;
    bool swa_full;
    bool kv_unified;
    void * samplers;
    size_t n_samplers;
    void * ctx_other;
};

typedef struct llama_batch {
    int32_t n_tokens;
    llama_token * token;
    float * embd;
    llama_pos * pos;
    int32_t * n_seq_id;
    llama_seq_id ** seq_id;
    int8_t * logits;
} llama_batch;

void llama_backend_init(void);
void llama_log_set(ggml_log_callback callback, void * user_data);

struct llama_model_params llama_model_default_params(void);
llama_model llama_model_load_from_file(const char * path, struct llama_model_params params);
void llama_model_free(llama_model model);
llama_vocab llama_model_get_vocab(llama_model model);
int32_t llama_model_n_ctx_train(llama_model model);
int32_t llama_model_n_embd(llama_model model);
int32_t llama_model_n_layer(llama_model model);
int32_t llama_model_n_head(llama_model model);
int32_t llama_model_n_head_kv(llama_model model);
uint64_t llama_model_n_params(llama_model model);
int32_t llama_model_meta_count(llama_model model);
int32_t llama_model_meta_key_by_index(llama_model model, int32_t i, char * buffer, size_t size);
int32_t llama_model_meta_val_str_by_index(llama_model model, int32_t i, char * buffer, size_t size);

int32_t llama_vocab_n_tokens(llama_vocab vocab);
const char * llama_vocab_get_text(llama_vocab vocab, llama_token token);
int llama_vocab_get_attr(llama_vocab vocab, llama_token token);
bool llama_vocab_is_eog(llama_vocab vocab, llama_token token);
llama_token llama_vocab_bos(llama_vocab vocab);
bool llama_vocab_get_add_bos(llama_vocab vocab);
llama_token llama_vocab_fim_pre(llama_vocab vocab);
llama_token llama_vocab_fim_suf(llama_vocab vocab);
llama_token llama_vocab_fim_mid(llama_vocab vocab);
int32_t llama_tokenize(llama_vocab vocab, const char * text, int32_t length, llama_token * tokens,
                       int32_t n_tokens_max, bool add_special, bool parse_special);
int32_t llama_token_to_piece(llama_vocab vocab, llama_token token, char * buffer, int32_t length,
                             int32_t lstrip, bool special);

struct llama_context_params llama_context_default_params(void);
llama_context llama_init_from_model(llama_model model, struct llama_context_params params);
void llama_free(llama_context context);
void llama_set_n_threads(llama_context context, int32_t n_threads, int32_t n_threads_batch);
void llama_set_abort_callback(llama_context context, ggml_abort_callback callback, void * data);
llama_batch llama_batch_init(int32_t n_tokens, int32_t embd, int32_t n_seq_max);
void llama_batch_free(llama_batch batch);
int32_t llama_decode(llama_context context, llama_batch batch);
float * llama_get_logits_ith(llama_context context, int32_t i);

llama_memory llama_get_memory(llama_context context);
bool llama_memory_can_shift(llama_memory memory);
bool llama_memory_seq_rm(llama_memory memory, llama_seq_id sequence, llama_pos p0, llama_pos p1);
void llama_memory_seq_cp(llama_memory memory, llama_seq_id from, llama_seq_id to,
                         llama_pos p0, llama_pos p1);
void llama_memory_seq_add(llama_memory memory, llama_seq_id sequence,
                          llama_pos p0, llama_pos p1, llama_pos delta);

void ggml_backend_load_all_from_path(const char * folder);
size_t ggml_backend_dev_count(void);
ggml_backend_dev ggml_backend_dev_get(size_t index);
int ggml_backend_dev_type(ggml_backend_dev device);
"""
