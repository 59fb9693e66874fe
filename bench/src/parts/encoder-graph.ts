import type { OnnxGraph, OnnxNode, OnnxTensor } from '../../../server/test/support/models/onnx-writer.ts'

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
export function encoderGraph(shape: EncoderShape): OnnxGraph {
  const graph = new GraphBuilder()
  const mask = addMask(graph)
  let x = addEmbeddings(graph, shape)
  for (let layer = 0; layer < shape.layers; layer++) x = addLayer(graph, shape, x, mask)
  graph.apply('Identity', [x], {}, 'last_hidden_state')
  const input = (name: string) => ({ name, type: 'int64' as const, dims: ['batch', 'tokens'] })
  return {
    nodes: graph.nodes,
    weights: graph.weights,
    inputs: ['input_ids', 'attention_mask', 'token_type_ids'].map(input),
    outputs: [{ name: 'last_hidden_state', type: 'float', dims: ['batch', 'tokens', shape.hidden] }],
  }
}

/** Sum of the vectors of words, positions and token types. */
function addEmbeddings(graph: GraphBuilder, { hidden, words, positions }: EncoderShape): string {
  const length = graph.apply('Slice', [graph.apply('Shape', ['input_ids']), graph.whole(1), graph.whole(2)])
  const place = graph.apply('Slice', [graph.weight(positions, hidden), graph.whole(0), length])
  const kind = graph.apply('Gather', [graph.weight(2, hidden), 'token_type_ids'])
  const word = graph.apply('Gather', [graph.weight(words, hidden), 'input_ids'])
  return graph.normalise(graph.apply('Add', [graph.apply('Add', [word, place]), kind]), hidden)
}

/** A large negative number for each padding token, 0 for the others. */
function addMask(graph: GraphBuilder): string {
  const padding = graph.apply('Sub', [graph.float(1), graph.apply('Cast', ['attention_mask'], { to: 1 })])
  return graph.apply('Unsqueeze', [graph.apply('Mul', [padding, graph.float(-1e4)]), graph.whole(1, 2)])
}

/** Self-attention and a feed-forward layer. */
function addLayer(graph: GraphBuilder, { hidden, between, heads }: EncoderShape, x: string, mask: string): string {
  const size = hidden / heads
  const head = (perm: number[]) => {
    const split = graph.apply('Reshape', [graph.dense(x, hidden, hidden), graph.whole(0, 0, heads, size)])
    return graph.apply('Transpose', [split], { perm })
  }
  const scores = graph.apply('Div', [
    graph.apply('MatMul', [head([0, 2, 1, 3]), head([0, 2, 3, 1])]),
    graph.float(Math.sqrt(size)),
  ])
  const attention = graph.apply('Softmax', [graph.apply('Add', [scores, mask])], { axis: -1 })
  const seen = graph.apply('Transpose', [graph.apply('MatMul', [attention, head([0, 2, 1, 3])])], {
    perm: [0, 2, 1, 3],
  })
  const joined = graph.apply('Reshape', [seen, graph.whole(0, 0, hidden)])
  const attended = graph.normalise(graph.apply('Add', [x, graph.dense(joined, hidden, hidden)]), hidden)
  const forward = graph.dense(graph.gelu(graph.dense(attended, hidden, between)), between, hidden)
  return graph.normalise(graph.apply('Add', [attended, forward]), hidden)
}

/** Collects operators and weights. Its methods return the names of their outputs. */
class GraphBuilder {
  readonly weights: OnnxTensor[] = []
  readonly nodes: OnnxNode[] = []
  #seed = 1

  apply(op: string, inputs: string[], attributes: NonNullable<OnnxNode['attributes']> = {}, output?: string): string {
    const name = output ?? `n${this.nodes.length}`
    this.nodes.push({ op, inputs, outputs: [name], attributes })
    return name
  }

  /** Random weights. */
  weight(...dims: number[]): string {
    const size = dims.reduce((product, dim) => product * dim, 1)
    return this.#constant(
      Float32Array.from({ length: size }, () => this.#random()),
      dims,
    )
  }

  float(value: number): string {
    return this.#constant(Float32Array.of(value))
  }

  whole(...values: number[]): string {
    return this.#constant(BigInt64Array.from(values.map(BigInt)))
  }

  normalise(x: string, hidden: number): string {
    const mean = (of: string) => this.apply('ReduceMean', [of], { axes: [-1] })
    const apart = this.apply('Sub', [x, mean(x)])
    const spread = this.apply('Sqrt', [this.apply('Add', [mean(this.apply('Mul', [apart, apart])), this.float(1e-12)])])
    const scaled = this.apply('Mul', [this.apply('Div', [apart, spread]), this.weight(hidden)])
    return this.apply('Add', [scaled, this.weight(hidden)])
  }

  dense(x: string, from: number, to: number): string {
    return this.apply('Add', [this.apply('MatMul', [x, this.weight(from, to)]), this.weight(to)])
  }

  gelu(x: string): string {
    const error = this.apply('Erf', [this.apply('Div', [x, this.float(Math.SQRT2)])])
    return this.apply('Mul', [this.apply('Mul', [x, this.float(0.5)]), this.apply('Add', [error, this.float(1)])])
  }

  #constant(values: Float32Array | BigInt64Array, dims: readonly number[] = [values.length]): string {
    const name = `w${this.weights.length}`
    this.weights.push({ name, dims, values })
    return name
  }

  #random(): number {
    this.#seed = (Math.imul(this.#seed, 1_664_525) + 1_013_904_223) | 0
    return (this.#seed / 2 ** 31) * 0.04
  }
}
