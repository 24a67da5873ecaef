import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A started program and what it has printed so far. */
export type Program = {
  child: ChildProcess
  pid: number
  output(): string
  /** Waits for a text in the output; fails when the program ends without it. */
  prints(text: RegExp): Promise<RegExpExecArray>
  /** Waits for the end; gives the exit code, or the signal's name. */
  ends(): Promise<number | string>
}

/** Starts a program and collects its output. */
export const startProgram = (command: string, args: string[], options: SpawnOptions): Program => {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)))
  const ended = once(child, 'close')
  const prints = async (text: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const found = text.exec(output)
      if (found) return found
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`ended without ${text}:\n${output}`)
      await sleep(20)
    }
  }
  const ends = async (): Promise<number | string> => {
    await ended
    return child.exitCode ?? child.signalCode ?? ''
  }
  return { child, pid: child.pid ?? 0, output: () => output, prints, ends }
}

/** The processes that work in a folder or have it in their environment: id and command. */
export const processesOf = (folder: string): { pid: number; command: string }[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 1 && pid !== process.pid && belongsTo(pid, folder))
    .map((pid) => ({ pid, command: readProcess(pid, 'cmdline').replaceAll('\0', ' ').trim() }))
    .filter(({ command }) => command !== '')

/** Waits until no process of the folder is left; fails with their list. */
export const untilNoProcess = async (folder: string, withinMs = 15_000): Promise<void> => {
  for (const deadline = Date.now() + withinMs; processesOf(folder).length > 0; await sleep(50))
    if (Date.now() > deadline) throw new Error(`left behind: ${JSON.stringify(processesOf(folder), null, 2)}`)
}

/** A folder that goes away after the test, with the processes in it. */
export const temporaryFolder = (t: { after(fn: () => void): void }): string => {
  const folder = mkdtempSync(join(tmpdir(), 'stoa-process-'))
  t.after(() => {
    for (const { pid } of processesOf(folder)) process.kill(pid, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

const belongsTo = (pid: number, folder: string): boolean => {
  try {
    return readProcess(pid, 'environ').includes(folder) || readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)
  } catch {
    return false // it ended meanwhile, or is not ours to look at
  }
}

const readProcess = (pid: number, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
