import type { Run } from './run-state.ts'

/** An annotation of a mailbox, or of the server when the mailbox is null. */
export const readAnnotation = async (run: Run, mailbox: string | null, name: string): Promise<string | null> => {
  run.spend(100)
  return (await run.chain.environment.mailboxes?.metadata?.(mailbox, name)) ?? null
}

export const hasAnnotations = async (run: Run, mailbox: string | null, names: readonly string[]): Promise<boolean> => {
  for (const name of names) if ((await readAnnotation(run, mailbox, name)) === null) return false
  return true
}
