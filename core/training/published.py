"""What published models of each stored model's kind reach, with the source of each figure.

A stored model is small and was trained in minutes; its card says beside its own measures what the same method
reaches at full size. The figures are of other data, so they show the distance and are no ranking.
"""

from __future__ import annotations

MACHINE_TRANSLATION = (
    "a Transformer (big) reaches 28.4 BLEU from English into German and 41.8 into French on WMT 2014"
    " (Vaswani et al., 2017)"
)
PICTURES = "ViT-H/14, pretrained on 300 million pictures, classifies 88.55% of ImageNet right (Dosovitskiy et al., 2021)"

PUBLISHED = {
    "ablated_gpts": "without its residual connections a network of 34 layers makes 28.5% errors on ImageNet, with them "
    "25.0% (He et al., 2016)",
    "bidirectional_lm": "ELMo, trained on a billion words, has a perplexity of 39.7 on its own benchmark; from its first "
    "layer 97.3% of part-of-speech tags are right, from its second 96.8%, and for word senses 67.4 and 69.0 F1 "
    "(Peters et al., 2018)",
    "calibration": "on CIFAR-100 a residual network of 110 layers has a calibration error of 16.5% (15 bins), with "
    "temperature scaling 1.0% (Guo et al., 2017)",
    "captions_recurrent": "on photographs of MS COCO such a network reaches 27.7 BLEU-4 and 85.5 CIDEr, people 21.7 and "
    "85.4 (Vinyals et al., 2015)",
    "captions_transformer": "on photographs of MS COCO a transformer reaches 131.2 CIDEr (Cornia et al., 2020)",
    "char_feedforward": "on the words of the Brown corpus a feed-forward model has a perplexity of 252, the best n-gram "
    "model 312 (Bengio et al., 2003)",
    "char_gpt": "a character transformer of 64 layers reaches 1.06 bits per character on enwik8 and 1.13 on text8 "
    "(Al-Rfou et al., 2019)",
    "char_gru": "a recurrent highway network reaches 1.27 bits per character on enwik8 (Zilly et al., 2017)",
    "char_lstm": "an LSTM of seven layers reaches 1.67 bits per character on enwik8 (Graves, 2013)",
    "char_ngram": "on a billion words a Kneser-Ney model of 5-grams has a perplexity of 67.6 per word "
    "(Chelba et al., 2013)",
    "char_rnn": "a multiplicative RNN reaches 1.60 bits per character on Wikipedia (Sutskever et al., 2011)",
    "classify_movies": "on sentences of film reviews (SST, two classes) naive Bayes has 81.8% right, a recursive network "
    "85.4% (Socher et al., 2013); BERT large has 94.9% (Devlin et al., 2019)",
    "classify_news": "on AG News, four classes, fastText has 92.5% right (Joulin et al., 2017), XLNet 95.5% "
    "(Yang et al., 2019)",
    "classify_sms": "on the whole collection, doubles among it, a support vector machine has 97.6% right "
    "(Almeida et al., 2011)",
    "copier": "trained on real text, transformers of two or more layers form such heads early in training "
    "(Olsson et al., 2022)",
    "crf_tagger": "on the Penn Treebank a conditional random field with spelling features makes 4.27% errors, 23.76% on "
    "unknown words, and a hidden Markov model 5.69% and 45.99% (Lafferty et al., 2001)",
    "dates": "on dates in news text, HeidelTime's rules find and normalize with 77.6 F1 in TempEval-3 "
    "(UzZaman et al., 2013)",
    "fine_tuned": "BERT base has 93.5% right on SST, two classes (Devlin et al., 2019); with 100 labels ULMFiT does as well "
    "as training from scratch on 10 to 100 times as many (Howard and Ruder, 2018)",
    "glove": "of 300 dimensions on the same text, GloVe has 71.7% of the analogies right and 65.8 on WordSim-353 "
    "(Pennington et al., 2014)",
    "gpt2_tokenizer": "this is the published tokenizer itself (Radford et al., 2019)",
    "in_context": "trained on linear functions of 20 dimensions, drawn for each sequence, a transformer of 12 layers does "
    "about as well as least squares, the best predictor there (Garg et al., 2022)",
    "model_sizes": "from 768 to 1.5 billion parameters the loss falls as a power of the size, with an exponent of 0.076 "
    "(Kaplan et al., 2020)",
    "one_space": "CLIP, trained on 400 million pairs, finds the right caption of a Flickr30k photograph first in 88.0% and "
    "the right photograph in 68.7%, without training on them (Radford et al., 2021)",
    "paragraphs": "on 50,000 whole film reviews paragraph vectors have 92.6% right (Le and Mikolov, 2014); others measured "
    "88.7% (Mesnil et al., 2015)",
    "quantized_gpts": "of 175 billion parameters OPT has a perplexity of 8.34 on WikiText-2 in 16 bits, in 4 bits 10.54 "
    "where weights are rounded to nearest by row and 8.37 by GPTQ, in 3 bits 7,300 and 8.68 (Frantar et al., 2023)",
    "review_readers": "on sentences of film reviews (SST, two classes) an LSTM has 84.9% right, a bidirectional one 87.5% "
    "(Tai et al., 2015)",
    "sentence_pairs": "BERT tells the next sentence from one of another document in 97 to 98% (Devlin et al., 2019); a "
    "model trained so tells the order of two sentences in only 52.0%, one trained on order in 86.5% (Lan et al., 2020)",
    "shoot_out": "on 6 billion tokens and WordSim-353: SVD 65.7, CBOW 57.2, skip-gram 62.8, GloVe 65.8 "
    "(Pennington et al., 2014)",
    "skipgram": "of 1,000 dimensions on 6 billion words, skip-gram has 65.6% of the analogies right (Mikolov et al., 2013)",
    "subwords": "trained on Wikipedia, fastText reaches 47 on rare words and 71 on WordSim-353, skip-gram 43 and 72 "
    "(Bojanowski et al., 2017)",
    "tagger": "the second-order tagger TnT has 96.7% right on the Penn Treebank, 85.5% of unknown words (Brants, 2000)",
    "transformer_dutch": MACHINE_TRANSLATION,
    "transformer_french": MACHINE_TRANSLATION,
    "translate_dutch": "from English into French (WMT 2014) additive attention reaches 26.8 BLEU, the same network without "
    "it 17.8 (Bahdanau et al., 2015)",
    "translate_french_additive": "from English into French (WMT 2014) additive attention reaches 26.8 BLEU, the same "
    "network without it 17.8 (Bahdanau et al., 2015)",
    "translate_french_dot": "from English into German (WMT 2014) attention by products gains up to 5.0 BLEU "
    "(Luong et al., 2015)",
    "translate_french_general": "from English into German (WMT 2014) attention by products gains up to 5.0 BLEU "
    "(Luong et al., 2015)",
    "translate_french_none": "from English into French (WMT 2014) a network without attention reaches 17.8 BLEU, with it "
    "26.8 (Bahdanau et al., 2015)",
    "two_directions": "on the Penn Treebank a bidirectional LSTM with a CRF has 97.55% of the tags right "
    "(Huang et al., 2015)",
    "vit_digits": "on MNIST, whose digits have 28 by 28 pixels, a committee of convolutional networks has 99.77% right "
    f"(Cireşan et al., 2012); {PICTURES}",
    "vit_shapes": PICTURES,
    "word_gpt": "GPT-2 of 1.5 billion parameters reaches 0.93 bits per byte on enwik8 and a perplexity of 17.5 per word on "
    "WikiText-103, without training on them (Radford et al., 2019)",
    "word_masked": "BERT base has a perplexity of 3.99 per hidden word piece (Devlin et al., 2019)",
}
