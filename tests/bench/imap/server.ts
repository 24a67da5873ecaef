import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { nodeFlags } from '../../../scripts/services.ts'
import { type Measured, withPostgres } from '../measured.ts'
import { type BenchClient, openClient } from './client.ts'
import { type ImapSeed, PASSWORD } from './seed.ts'

export type ImapServer = Measured & {
  rss(): Promise<number>
  /** Makes all mail findable as upkeep does, once or from now on until it is asked once. */
  index(how: 'once' | 'on'): Promise<void>
}

type Message = { type: 'ready'; port: number } | { type: 'cpu'; seconds: number } | { type: 'rss'; bytes: number }

/** The IMAP server in a process of its own, with the CPU of its connections. */
export const startImapServer = async (ground: ImapSeed, folder: string, tls = ''): Promise<ImapServer> => {
  const child = fork(new URL('imap-server.ts', import.meta.url), [ground.url, folder, tls], {
    execArgv: [...nodeFlags],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const { port } = await next(child, 'ready')
  const ask = <T extends Message['type']>(question: string, type: T) => {
    const answer = next(child, type)
    child.send(question)
    return answer
  }
  const server = {
    port,
    cpuSeconds: async () => (await ask('cpu', 'cpu')).seconds,
    async stop() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
  return {
    ...(await withPostgres(ground.url, 'bench-imap', server)),
    rss: async () => (await ask('rss', 'rss')).bytes,
    index: async (how) => void (await ask(how === 'once' ? 'index' : 'keep indexing', 'cpu')),
  }
}

const next = async <T extends Message['type']>(
  child: ChildProcess,
  type: T,
): Promise<Extract<Message, { type: T }>> => {
  for (;;) {
    const [message] = (await once(child, 'message')) as [Message]
    if (message.type === type) return message as Extract<Message, { type: T }>
  }
}

export const signedIn = async ({ port }: { port: number }, email: string, options = {}): Promise<BenchClient> => {
  const client = await openClient({ port, ...options })
  await client.say(`login ${email} "${PASSWORD}"`)
  return client
}
