/** The thread that turns texts into vectors: it loads the model, then answers text by text. */
import * as core from '@energetic-ai/core'
import { initModel } from '@energetic-ai/embeddings'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { wholeNumbers } from './embedder.ts'

/** Its types name packages that it contains and does not install. */
const { loadGraphModel, ready } = core as unknown as {
  loadGraphModel(this: void, url: string): Promise<never>
  ready(this: void): Promise<void>
}

/** SHA-256 of the model's files, one after the other. */
const DIGEST = 'd052787714b3e35e43db8d8dcc01508ab06b4fce92df7f21b248fbcf7ebd968a'

const SHARDS = Array.from({ length: 7 }, (_, i) => `group1-shard${i + 1}of7`)

/** Nice value of a thread whose work can wait. */
const NICE = 5

// On Linux alone threads have priorities of their own.
if (process.platform === 'linux') setPriority(NICE)

const { directory } = workerData as { readonly directory: string }
const hash = createHash('sha256')
for (const name of [...SHARDS, 'model.json', 'vocab.json']) {
  hash.update(readFileSync(join(directory, name)))
}
const digest = hash.digest('hex')
if (digest !== DIGEST) throw new Error(`the files of the model are damaged: SHA-256 ${digest}`)

const vocabulary = JSON.parse(readFileSync(join(directory, 'vocab.json'), 'utf8'))
// On a busy machine the model can be there before the program that computes it.
await ready()
const model = await initModel(async () => ({
  model: await loadGraphModel(pathToFileURL(join(directory, 'model.json')).href),
  vocabulary,
}))

async function vectorOf(text: string): Promise<Int8Array> {
  const [vector] = await model.embed([text])
  return wholeNumbers(vector)
}

parentPort?.on('message', (text: string) => {
  void vectorOf(text).then((vector) => parentPort?.postMessage(vector))
})
parentPort?.postMessage('ready')
