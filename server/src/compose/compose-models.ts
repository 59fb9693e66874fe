import { type ChatModel, withBudget } from '#models/chat-model.ts'
import { createChatModel } from '#models/create-chat-model.ts'
import { type EmbeddingModel, createEmbeddingModel, createQueryEmbedder } from '#models/embedding-model.ts'
import { createNetClient } from '#net/client.ts'
import { EVERYWHERE } from '#net/judge-address.ts'
import { addModelUsage, tokensOfDay } from '#store/accounts/usage.ts'
import { userAgent } from '#version.ts'
import type { Base } from './base.ts'
import { measured } from './compose-network.ts'
import { findAccountOfSource } from '#store/accounts/site-access.ts'

export type Models = ReturnType<typeof composeModels>

/** The configured models for answers, and for the embeddings of passages and questions. Null without one. */
export function composeModels(base: Base) {
  return { embedders: createEmbedders(base), modelFor: createChatModels(base) }
}

function createChatModels(base: Base): (accountId: string) => ChatModel | null {
  const { config, secrets, store, stack, onError } = base
  const { llm } = config
  if (llm === null) return () => null
  // The operator chose this address, so it may be private. Half of the timeout is reserved for a retry.
  const options = { allowNetworks: EVERYWHERE, userAgent: userAgent(), firstByteMs: llm.timeoutMs / 2 }
  const net = measured('model', stack.use(createNetClient(options)), base)
  const { baseUrl, model, provider, timeoutMs, tokensPerDay } = llm
  const chat = createChatModel({ net, baseUrl, model, provider, apiKey: secrets.llmApiKey, totalMs: timeoutMs })
  return (accountId) =>
    withBudget(chat, {
      perDay: tokensPerDay,
      readUsed: () => tokensOfDay(store.read, accountId, 'chat', store.clock()),
      record: (usage) =>
        void addModelUsage(store.write, { accountId, kind: 'chat', now: store.clock(), ...usage }).catch(onError),
    })
}

function createEmbedders(base: Base) {
  const { store, log, localEmbeddings } = base
  const onFailure = (err: unknown) => log.warn({ err }, 'embeddings')
  const model = localEmbeddings ?? embeddingsEndpoint(base)
  if (model === null) return null
  const count = (accountId: string, inputTokens: number) =>
    addModelUsage(store.write, { accountId, kind: 'embeddings', now: store.clock(), inputTokens, outputTokens: 0 })
  const countFor = async (sourceId: string, tokens: number) => {
    const accountId = await findAccountOfSource(store.read, sourceId)
    if (accountId !== undefined) await count(accountId, tokens)
  }
  const onQuestion = (accountId: string, tokens: number) => void count(accountId, tokens).catch(onFailure)
  const embedQuestion = createQueryEmbedder({ model, clock: Date.now, onFailure, onUsage: onQuestion })
  const onUsage = (sourceId: string, tokens: number) => void countFor(sourceId, tokens).catch(onFailure)
  return { embedQuestion, indexing: { model, onFailure, onUsage } }
}

function embeddingsEndpoint(base: Base): EmbeddingModel | null {
  const { config, secrets, stack } = base
  const { embeddings } = config
  if (embeddings?.kind !== 'endpoint') return null
  const net = measured('model', stack.use(createNetClient({ allowNetworks: EVERYWHERE, userAgent: userAgent() })), base)
  const { baseUrl, model } = embeddings
  return createEmbeddingModel({ net, baseUrl, model, apiKey: secrets.embeddingsApiKey })
}
