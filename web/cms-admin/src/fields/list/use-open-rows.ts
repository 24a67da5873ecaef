import type { Problem } from '@stoa/cms-model/fields/define.ts'
import { useState } from 'react'
import { countProblems } from './rows.ts'

/** Which rows are open. Rows with new problems open by themselves. */
export const useOpenRows = (keys: readonly string[], problems: readonly Problem[], path: string) => {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const inside = problems.filter(({ key }) => key.startsWith(`${path}.`))
  // Every refusal brings its own problems, also when they say the same
  const [seen, setSeen] = useState<readonly Problem[]>([])
  const isSame = inside.length === seen.length && inside.every((problem, index) => problem === seen[index])
  if (!isSame) {
    setSeen(inside)
    const fresh = inside.filter((problem) => !seen.includes(problem))
    const wrong = keys.filter((_, index) => countProblems(fresh, `${path}.${index}`) > 0)
    if (wrong.length > 0) setOpen(new Set([...open, ...wrong]))
  }
  return {
    isOpen: (key: string) => open.has(key),
    openCount: keys.filter((key) => open.has(key)).length,
    toggle: (key: string) =>
      setOpen(open.has(key) ? new Set([...open].filter((other) => other !== key)) : new Set([...open, key])),
    show: (shown: readonly string[]) => setOpen((current) => new Set([...current, ...shown])),
    closeAll: () => setOpen(new Set()),
  }
}
