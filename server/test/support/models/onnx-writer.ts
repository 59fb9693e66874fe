/** Value of an attribute: an integer, a float, or integers. */
type Attribute = number | { float: number } | readonly number[]

export type OnnxNode = {
  op: string
  inputs: readonly string[]
  outputs: readonly string[]
  attributes?: Readonly<Record<string, Attribute>>
}

export type OnnxTensor = {
  name: string
  dims: readonly number[]
  /** Inline values, or a reference to a file beside the model. */
  values: Float32Array | BigInt64Array | { file: string; bytes: number }
}

/** Name and shape of a tensor; a named dimension has any length. */
export type OnnxValue = { name: string; type: 'float' | 'int64'; dims: readonly (number | string)[] }

export type OnnxGraph = {
  nodes: readonly OnnxNode[]
  weights: readonly OnnxTensor[]
  inputs: readonly OnnxValue[]
  outputs: readonly OnnxValue[]
}

const FLOAT = 1
const INT64 = 7
/** `EXTERNAL` of the enum `TensorProto.DataLocation`. */
const EXTERNAL = 1
/** Values of the enum `AttributeProto.AttributeType`. */
const KINDS = { float: 1, int: 2, ints: 7 }
/** Opset 13 has all operators used here, and every current runtime supports it. */
const OPSET = 13
const IR_VERSION = 8

/** Serialises an ONNX model (messages of onnx.proto3). */
export function writeOnnx({ nodes, weights, inputs, outputs }: OnnxGraph): Uint8Array {
  const graph = [
    ...nodes.map((node) => field(1, nodeOf(node))),
    field(2, text('graph')),
    ...weights.map((tensor) => field(5, tensorOf(tensor))),
    ...inputs.map((value) => field(11, valueOf(value))),
    ...outputs.map((value) => field(12, valueOf(value))),
  ]
  return Buffer.concat([number(1, IR_VERSION), field(8, number(2, OPSET)), field(7, Buffer.concat(graph))])
}

function nodeOf({ op, inputs, outputs, attributes = {} }: OnnxNode): Buffer {
  return Buffer.concat([
    ...inputs.map((name) => field(1, text(name))),
    ...outputs.map((name) => field(2, text(name))),
    field(4, text(op)),
    ...Object.entries(attributes).map(([name, value]) => field(5, attributeOf(name, value))),
  ])
}

function attributeOf(name: string, value: Attribute): Buffer {
  const head = field(1, text(name))
  if (typeof value === 'number') return Buffer.concat([head, number(3, value), number(20, KINDS.int)])
  if ('float' in value) {
    const bytes = Buffer.alloc(4)
    bytes.writeFloatLE(value.float)
    return Buffer.concat([head, varint((2 << 3) | 5), bytes, number(20, KINDS.float)])
  }
  return Buffer.concat([head, ...value.map((one) => number(8, one)), number(20, KINDS.ints)])
}

function tensorOf({ name, dims, values }: OnnxTensor): Buffer {
  if ('file' in values) {
    const entry = (key: string, value: string) => field(13, Buffer.concat([field(1, text(key)), field(2, text(value))]))
    const where = [entry('location', values.file), entry('offset', '0'), entry('length', String(values.bytes))]
    const head = [...dims.map((dim) => number(1, dim)), number(2, FLOAT), field(8, text(name))]
    return Buffer.concat([...head, ...where, number(14, EXTERNAL)])
  }
  const raw = Buffer.from(values.buffer, values.byteOffset, values.byteLength)
  const type = values instanceof Float32Array ? FLOAT : INT64
  return Buffer.concat([...dims.map((dim) => number(1, dim)), number(2, type), field(8, text(name)), field(9, raw)])
}

function valueOf({ name, type, dims }: OnnxValue): Buffer {
  const shape = dims.map((dim) => field(1, typeof dim === 'number' ? number(1, dim) : field(2, text(dim))))
  const tensor = Buffer.concat([number(1, type === 'float' ? FLOAT : INT64), field(2, Buffer.concat(shape))])
  return Buffer.concat([field(1, text(name)), field(2, field(1, tensor))])
}

/** A length-delimited field. */
const field = (id: number, bytes: Buffer): Buffer => Buffer.concat([varint((id << 3) | 2), varint(bytes.length), bytes])
const number = (id: number, value: number): Buffer => Buffer.concat([varint(id << 3), varint(value)])
const text = (value: string): Buffer => Buffer.from(value)

/** Base-128 varint; negative numbers as 64-bit two's complement. */
function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128)
    rest >>= 7n
  }
  return Buffer.from([...bytes, Number(rest)])
}
