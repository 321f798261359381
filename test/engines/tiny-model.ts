import { writeFileSync } from 'node:fs'
import { RandomSource } from '../../runtime/testing/random-source.ts'

/** Small enough to be made in milliseconds; as deep as a llama must be. */
const [width, heads, inner, contextLength] = [32, 2, 64, 8192]
const alignment = 32

/** The type tags of GGUF, and of its tokens. */
const tags = { uint32: 4, int32: 5, float32: 6, bool: 7, string: 8, array: 9 } as const
const [normalToken, unknownToken, controlToken, byteToken] = [1, 2, 3, 6]

/**
 * Writes a GGUF file (version 3, F32) of a llama with random weights: one layer, a vocabulary of every byte and of
 * printable ASCII. What it says is noise; llama.cpp runs it as it runs any model. The same seed gives the same bytes.
 */
export function writeTinyModel(path: string, seed = 42): void {
  const tokens = vocabulary()
  const random = new RandomSource(seed)
  const noise = (scale: number): number => (random.next() * 2 - 1) * scale
  const writer = new GgufWriter()

  const tensors: { readonly name: string; readonly shape: readonly number[]; readonly data: Float32Array }[] =
    []
  const tensor = (name: string, shape: readonly number[], value: () => number): void => {
    const size = shape.reduce((product, length) => product * length, 1)
    tensors.push({ name: `${name}.weight`, shape, data: Float32Array.from({ length: size }, value) })
  }
  tensor('token_embd', [width, tokens.length], () => noise(1))
  tensor('output_norm', [width], () => 1)
  tensor('output', [width, tokens.length], () => noise(0.3))
  tensor('blk.0.attn_norm', [width], () => 1)
  for (const part of ['q', 'k', 'v', 'output']) tensor(`blk.0.attn_${part}`, [width, width], () => noise(0.3))
  tensor('blk.0.ffn_norm', [width], () => 1)
  tensor('blk.0.ffn_gate', [width, inner], () => noise(0.3))
  tensor('blk.0.ffn_up', [width, inner], () => noise(0.3))
  tensor('blk.0.ffn_down', [inner, width], () => noise(0.3))

  const facts: (readonly [key: string, write: () => void])[] = [
    ['general.architecture', () => writer.string('llama')],
    ['general.alignment', () => writer.uint32(alignment)],
    ['llama.context_length', () => writer.uint32(contextLength)],
    ['llama.embedding_length', () => writer.uint32(width)],
    ['llama.block_count', () => writer.uint32(1)],
    ['llama.feed_forward_length', () => writer.uint32(inner)],
    ['llama.attention.head_count', () => writer.uint32(heads)],
    ['llama.attention.head_count_kv', () => writer.uint32(heads)],
    ['llama.attention.layer_norm_rms_epsilon', () => writer.float32(1e-5)],
    ['llama.rope.dimension_count', () => writer.uint32(width / heads)],
    ['llama.vocab_size', () => writer.uint32(tokens.length)],
    ['general.file_type', () => writer.uint32(0)],
    ['tokenizer.ggml.model', () => writer.string('llama')],
    [
      'tokenizer.ggml.tokens',
      () =>
        writer.list(
          'string',
          tokens.map(({ text }) => text),
        ),
    ],
    [
      'tokenizer.ggml.scores',
      () =>
        writer.list(
          'float32',
          tokens.map(({ score }) => score),
        ),
    ],
    [
      'tokenizer.ggml.token_type',
      () =>
        writer.list(
          'int32',
          tokens.map(({ kind }) => kind),
        ),
    ],
    ['tokenizer.ggml.bos_token_id', () => writer.uint32(1)],
    ['tokenizer.ggml.eos_token_id', () => writer.uint32(2)],
    ['tokenizer.ggml.unknown_token_id', () => writer.uint32(0)],
    ['tokenizer.ggml.add_bos_token', () => writer.bool(true)],
    ['tokenizer.ggml.add_space_prefix', () => writer.bool(false)],
  ]

  writer.raw(Buffer.from('GGUF'))
  writer.bare32(3)
  writer.bare64(tensors.length)
  writer.bare64(facts.length)
  for (const [key, write] of facts) {
    writer.bareString(key)
    write()
  }
  let offset = 0
  for (const { name, shape, data } of tensors) {
    writer.bareString(name)
    writer.bare32(shape.length)
    for (const length of shape) writer.bare64(length)
    writer.bare32(0)
    writer.bare64(offset)
    offset += data.byteLength + padding(data.byteLength)
  }
  writer.pad()
  for (const { data } of tensors) {
    writer.raw(Buffer.from(data.buffer))
    writer.pad()
  }
  writeFileSync(path, writer.bytes())
}

interface Token {
  readonly text: string
  readonly score: number
  readonly kind: number
}

/** Three that control, every byte, then a space (as SentencePiece writes it) and the rest of printable ASCII. */
function vocabulary(): Token[] {
  const printable = ['▁', ...Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index))]
  return [
    { text: '<unk>', score: 0, kind: unknownToken },
    { text: '<s>', score: 0, kind: controlToken },
    { text: '</s>', score: 0, kind: controlToken },
    ...Array.from({ length: 256 }, (_, byte) => ({
      text: `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
      score: 0,
      kind: byteToken,
    })),
    ...printable.map((text, index) => ({ text, score: -index - 1, kind: normalToken })),
  ]
}

function padding(length: number): number {
  return (alignment - (length % alignment)) % alignment
}

/** Values with their tag before them; `bare` ones without. */
class GgufWriter {
  readonly #parts: Buffer[] = []
  #length = 0

  raw(part: Buffer): void {
    this.#parts.push(part)
    this.#length += part.length
  }

  pad(): void {
    this.raw(Buffer.alloc(padding(this.#length)))
  }

  bytes(): Buffer {
    return Buffer.concat(this.#parts)
  }

  bare32(value: number): void {
    const part = Buffer.alloc(4)
    part.writeUInt32LE(value)
    this.raw(part)
  }

  bare64(value: number): void {
    const part = Buffer.alloc(8)
    part.writeBigUInt64LE(BigInt(value))
    this.raw(part)
  }

  bareString(text: string): void {
    const part = Buffer.from(text, 'utf8')
    this.bare64(part.length)
    this.raw(part)
  }

  uint32(value: number): void {
    this.bare32(tags.uint32)
    this.bare32(value)
  }

  float32(value: number): void {
    this.bare32(tags.float32)
    this.#number('float32', value)
  }

  bool(value: boolean): void {
    this.bare32(tags.bool)
    this.raw(Buffer.from([value ? 1 : 0]))
  }

  string(text: string): void {
    this.bare32(tags.string)
    this.bareString(text)
  }

  list(kind: 'string' | 'float32' | 'int32', values: readonly (string | number)[]): void {
    this.bare32(tags.array)
    this.bare32(tags[kind])
    this.bare64(values.length)
    for (const value of values) {
      if (typeof value === 'string') this.bareString(value)
      else this.#number(kind, value)
    }
  }

  #number(kind: string, value: number): void {
    const part = Buffer.alloc(4)
    if (kind === 'float32') part.writeFloatLE(value)
    else part.writeInt32LE(value)
    this.raw(part)
  }
}
