import { type ChildProcess, fork } from 'node:child_process'
import type { Ask, Told } from './messages.ts'

/** A program of the bench in a process of its own, with its arguments. */
export const start = (file: 'server.ts' | 'clients.ts', args: readonly string[]): ChildProcess =>
  fork(new URL(file, import.meta.url), args, {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })

export const ask = <T extends Told['type']>(
  child: ChildProcess,
  question: Ask,
  type: T,
): Promise<Extract<Told, { type: T }>> => {
  const answer = next(child, type)
  child.send(question)
  return answer
}

export const next = <T extends Told['type']>(child: ChildProcess, type: T): Promise<Extract<Told, { type: T }>> =>
  new Promise((resolve, reject) => {
    const done = () => {
      child.off('message', onMessage)
      child.off('exit', onExit)
    }
    const onMessage = (message: Told) => {
      if (!isOf(message, type)) return
      done()
      resolve(message)
    }
    const onExit = (code: number | null) => {
      done()
      reject(new Error(`a process of the bench ended with ${code}; 10,000 sockets need ulimit -n of 20,000 and more`))
    }
    child.on('message', onMessage)
    child.on('exit', onExit)
  })

const isOf = <T extends Told['type']>(message: Told, type: T): message is Extract<Told, { type: T }> =>
  message.type === type
