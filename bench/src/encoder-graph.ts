import type { OnnxGraph, OnnxNode, OnnxTensor } from '../../server/test/support/onnx-writer.ts'

export type EncoderShape = {
  layers: number
  /** Size of a token's vector; `between` is the size of the feed-forward layer. */
  hidden: number
  between: number
  heads: number
  words: number
  positions: number
}

/**
 * A BERT encoder of a given shape, as exporters write it, operator by operator. Its random weights cost as much as
 * trained ones.
 */
export function encoderGraph({ layers, hidden, between, heads, words, positions }: EncoderShape): OnnxGraph {
  const weights: OnnxTensor[] = []
  const nodes: OnnxNode[] = []
  let seed = 1
  const random = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) | 0
    return (seed / 2 ** 31) * 0.04
  }
  const weight = (...dims: number[]) => {
    const size = dims.reduce((product, dim) => product * dim, 1)
    return constant(Float32Array.from({ length: size }, random), dims)
  }
  const constant = (values: Float32Array | BigInt64Array, dims: readonly number[] = [values.length]) => {
    const name = `w${weights.length}`
    weights.push({ name, dims, values })
    return name
  }
  const float = (value: number) => constant(Float32Array.of(value))
  const whole = (...values: number[]) => constant(BigInt64Array.from(values.map(BigInt)))
  const apply = (
    op: string,
    inputs: string[],
    attributes: NonNullable<OnnxNode['attributes']> = {},
    output?: string,
  ) => {
    const name = output ?? `n${nodes.length}`
    nodes.push({ op, inputs, outputs: [name], attributes })
    return name
  }
  const mean = (x: string) => apply('ReduceMean', [x], { axes: [-1] })
  const normalise = (x: string) => {
    const apart = apply('Sub', [x, mean(x)])
    const spread = apply('Sqrt', [apply('Add', [mean(apply('Mul', [apart, apart])), float(1e-12)])])
    return apply('Add', [apply('Mul', [apply('Div', [apart, spread]), weight(hidden)]), weight(hidden)])
  }
  const dense = (x: string, from: number, to: number) =>
    apply('Add', [apply('MatMul', [x, weight(from, to)]), weight(to)])
  const gelu = (x: string) => {
    const error = apply('Erf', [apply('Div', [x, float(Math.SQRT2)])])
    return apply('Mul', [apply('Mul', [x, float(0.5)]), apply('Add', [error, float(1)])])
  }
  const size = hidden / heads
  const head = (x: string, perm: number[]) =>
    apply('Transpose', [apply('Reshape', [dense(x, hidden, hidden), whole(0, 0, heads, size)])], { perm })

  const length = apply('Slice', [apply('Shape', ['input_ids']), whole(1), whole(2)])
  const place = apply('Slice', [weight(positions, hidden), whole(0), length])
  const kind = apply('Gather', [weight(2, hidden), 'token_type_ids'])
  let x = normalise(apply('Add', [apply('Add', [apply('Gather', [weight(words, hidden), 'input_ids']), place]), kind]))
  const padding = apply('Sub', [float(1), apply('Cast', ['attention_mask'], { to: 1 })])
  const mask = apply('Unsqueeze', [apply('Mul', [padding, float(-1e4)]), whole(1, 2)])
  for (let layer = 0; layer < layers; layer++) {
    const scores = apply('Div', [
      apply('MatMul', [head(x, [0, 2, 1, 3]), head(x, [0, 2, 3, 1])]),
      float(Math.sqrt(size)),
    ])
    const attention = apply('Softmax', [apply('Add', [scores, mask])], { axis: -1 })
    const seen = apply('Transpose', [apply('MatMul', [attention, head(x, [0, 2, 1, 3])])], { perm: [0, 2, 1, 3] })
    x = normalise(apply('Add', [x, dense(apply('Reshape', [seen, whole(0, 0, hidden)]), hidden, hidden)]))
    x = normalise(apply('Add', [x, dense(gelu(dense(x, hidden, between)), between, hidden)]))
  }
  apply('Identity', [x], {}, 'last_hidden_state')
  const input = (name: string) => ({ name, type: 'int64' as const, dims: ['batch', 'tokens'] })
  return {
    nodes,
    weights,
    inputs: ['input_ids', 'attention_mask', 'token_type_ids'].map(input),
    outputs: [{ name: 'last_hidden_state', type: 'float', dims: ['batch', 'tokens', hidden] }],
  }
}
