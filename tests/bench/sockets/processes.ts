import { type ChildProcess, fork } from 'node:child_process'
import type { Ask, Report } from './messages.ts'

/** A program of the bench in a process of its own, with its arguments. */
export const start = (file: 'server.ts' | 'clients.ts', args: readonly string[]): ChildProcess =>
  fork(new URL(file, import.meta.url), args, {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })

export const ask = <T extends Report['type']>(
  child: ChildProcess,
  question: Ask,
  type: T,
): Promise<Extract<Report, { type: T }>> => {
  const answer = next(child, type)
  child.send(question)
  return answer
}

export const next = <T extends Report['type']>(child: ChildProcess, type: T): Promise<Extract<Report, { type: T }>> =>
  new Promise((resolve, reject) => {
    const done = () => {
      child.off('message', onMessage)
      child.off('exit', onExit)
    }
    const onMessage = (message: Report) => {
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

const isOf = <T extends Report['type']>(message: Report, type: T): message is Extract<Report, { type: T }> =>
  message.type === type
