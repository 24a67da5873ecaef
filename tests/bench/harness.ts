import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { nodeFlags } from '../../scripts/services.ts'

/** What a measured server process says over IPC. */
export type ServerMessage =
  | { type: 'ready'; port: number }
  | { type: 'cpu'; seconds: number }
  | { type: 'done'; task: string }

/** A server under measurement, in a process of its own so that the load's CPU is not counted. */
export type BenchServer = {
  port: number
  cpuSeconds(): Promise<number>
  /** Has the server do one of its tasks, and waits for it. */
  perform(task: string): Promise<void>
  stop(): Promise<void>
}

export const startServer = async (file: URL, args: readonly string[] = []): Promise<BenchServer> => {
  // Both sides of a comparison run as the services do.
  const child = fork(file, args, { execArgv: [...nodeFlags], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ready = await next(child, 'ready')
  return {
    port: ready.port,
    async cpuSeconds() {
      child.send('cpu')
      return (await next(child, 'cpu')).seconds
    },
    async perform(task) {
      child.send(task)
      await next(child, 'done')
    },
    async stop() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

const next = async <T extends ServerMessage['type']>(
  child: ChildProcess,
  type: T,
): Promise<Extract<ServerMessage, { type: T }>> => {
  for (;;) {
    const [message] = (await once(child, 'message')) as [ServerMessage]
    if (message.type === type) return message as Extract<ServerMessage, { type: T }>
  }
}

/** The server side of the conversation above. */
export const serveBench = (port: number, tasks: Record<string, () => Promise<unknown>> = {}): void => {
  process.on('message', async (asked: string) => {
    const task = tasks[asked]
    if (task) {
      await task()
      process.send?.({ type: 'done', task: asked })
      return
    }
    const { user, system } = process.cpuUsage()
    process.send?.({ type: 'cpu', seconds: (user + system) / 1e6 })
  })
  process.on('disconnect', () => process.exit())
  process.send?.({ type: 'ready', port })
}

export type Load = { request: string; connections: number; total: number }

/** Keep-alive connections that send the same request again and again; every answer must have the same length. */
export const load = async (port: number, { request, connections, total }: Load): Promise<Buffer> => {
  const bytes = Buffer.from(request)
  const first = await exchange(port, bytes)
  const size = first.length
  const each = Math.ceil(total / connections)
  await Promise.all(Array.from({ length: connections }, () => hammer(port, bytes, size, each)))
  return first
}

const exchange = async (port: number, request: Buffer): Promise<Buffer> => {
  const socket = connect(port, '127.0.0.1')
  socket.write(request)
  let answer = Buffer.alloc(0)
  for await (const chunk of socket) {
    answer = Buffer.concat([answer, chunk])
    const head = answer.indexOf('\r\n\r\n')
    const length = head > 0 && /content-length: (\d+)/i.exec(answer.toString('latin1', 0, head))
    if (length && answer.length - head - 4 >= Number(length[1])) break
  }
  socket.destroy()
  return answer
}

const hammer = (port: number, request: Buffer, size: number, times: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let left = times
    let seen = 0
    socket.setNoDelay(true)
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      seen += chunk.length
      if (seen < size) return
      if (seen > size) return reject(new Error(`an answer had ${seen} bytes instead of ${size}`))
      seen = 0
      left -= 1
      if (left > 0) return socket.write(request)
      socket.destroy()
      resolve()
    })
    socket.write(request)
  })

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const high = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? high) + high) / 2
}

/** Between which two values half of them are: how far the median can be trusted. */
export const middleHalf = (values: readonly number[]): string => {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (part: number) => (sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN).toFixed(2)
  return `${at(0.25)} to ${at(0.75)}`
}
