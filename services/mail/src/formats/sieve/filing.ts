import type { Filing, SieveAction } from './action-types.ts'
import { hasTag } from './arguments.ts'
import type { Call } from './compiled.ts'
import type { TagDefinition, Tags } from './define.ts'
import type { Run } from './run-state.ts'

/** A tag that says more of where to file: of `fileinto`, and of the copies that `:fcc` keeps (RFC 8580 §4). */
export const filingTag = (
  name: string,
  tag: Pick<TagDefinition, 'value' | 'check'>,
  set: (filing: Filing, call: Call, run: Run) => void,
): Readonly<Record<string, Tags>> => {
  const definition: TagDefinition = {
    ...tag,
    apply: (action, call, run) => {
      const filing = filingOf(action)
      if (filing) set(filing, call, run)
    },
  }
  const withCopy: TagDefinition = {
    ...definition,
    check: (call) =>
      hasTag(call, 'fcc') ? (tag.check?.(call) ?? null) : `":${name}" requires ":fcc" in "${call.name}"`,
  }
  return { fileinto: { [name]: definition }, vacation: { [name]: withCopy }, notify: { [name]: withCopy } }
}

const filingOf = (action: SieveAction): Filing | null => {
  if (action.kind === 'fileinto') return action
  return action.kind === 'vacation' || action.kind === 'notify' ? action.fcc : null
}
