import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** The longest tagged answer is that of LOGIN, with all capabilities. */
const TAIL = 4_096

/** A client that is cheaper than the server: it looks for tagged answers, and counts bytes. */
export type BenchClient = {
  readonly socket: Socket
  /** Sends a command and waits for its answer; gives all that came, if `isKept`. */
  say(command: string, options?: { isKept?: boolean }): Promise<string>
  /** The same for a command that may be refused; gives the tagged answer. */
  answerTo(command: string): Promise<string>
  /** Resolves with the next bytes. */
  nextAnswer(): Promise<string>
  close(): void
}

export const openClient = async (options: {
  port: number
  isTls?: boolean
  localAddress?: string
}): Promise<BenchClient> => {
  const { port, isTls = false, localAddress } = options
  const target = { port, host: '127.0.0.1', ...(localAddress ? { localAddress } : {}) }
  const socket = isTls ? connectTls({ ...target, rejectUnauthorized: false }) : connect(target)
  socket.setNoDelay(true)
  socket.setEncoding('latin1')
  let tags = 0
  let text = ''
  let wake: (() => void) | null = null
  let failure: Error | null = null
  socket.on('data', (chunk: string) => {
    text += chunk
    wake?.()
  })
  for (const event of ['error', 'close'])
    socket.on(event, (error: unknown) => {
      failure ??= error instanceof Error ? error : new Error('the connection ended')
      wake?.()
    })
  const more = () =>
    new Promise<void>((resolve) => {
      wake = () => {
        wake = null
        resolve()
      }
      if (failure) wake()
    })
  const nextAnswer = async () => {
    if (text === '') await more()
    if (failure && text === '') throw failure
    const now = text
    text = ''
    return now
  }
  await nextAnswer()
  const ask = async (command: string, isKept: boolean): Promise<{ answer: string; all: string }> => {
    tags += 1
    const tag = `t${tags} `
    let all = ''
    let tail = '\n'
    text = ''
    socket.write(`${tag}${command}\r\n`)
    for (;;) {
      const now = await nextAnswer()
      if (isKept) all += now
      tail = (tail + now).slice(-TAIL)
      const at = tail.lastIndexOf(`\n${tag}`)
      if (at !== -1 && tail.endsWith('\r\n')) return { answer: tail.slice(at + 1 + tag.length), all }
    }
  }
  return {
    socket,
    nextAnswer,
    async say(command, { isKept = false } = {}) {
      const { answer, all } = await ask(command, isKept)
      // Others may have expunged what it is about.
      if (!/^(?:OK|NO \[EXPUNGEISSUED\])/.test(answer)) throw new Error(`${command}: ${answer}`)
      return all
    },
    answerTo: async (command) => (await ask(command, false)).answer,
    close: () => socket.destroy(),
  }
}
