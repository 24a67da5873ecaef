import { constants, hasTag, keys, tagAmount, text } from '../arguments.ts'
import type { Call } from '../compiled.ts'
import { defineExtension } from '../define.ts'
import { type EditedLine, headerLines, newLine, setHeaderLines } from '../edit-message.ts'
import { headerNameProblem, headerValueProblem } from '../header-values.ts'
import { matchValues } from '../match/match.ts'
import { SieveRuntimeError } from '../problems.ts'
import type { Run } from '../run-state.ts'

/** RFC 5293 §5: headers that mail systems detect loops by must not be deleted. */
const protectedNames = ['received', 'auto-submitted']

/** RFC 5293. */
export const editheader = defineExtension({
  name: 'editheader',
  commands: {
    addheader: {
      positional: ['string', 'string'],
      tags: { last: {} },
      check: (call) => headerNameProblem(constants(call, 0)) ?? headerValueProblem(constants(call, 1)),
      run: (call, run) => {
        const line = newLine(fieldName(call, run), fieldValue(call, run))
        const lines = headerLines(run)
        setHeaderLines(run, hasTag(call, 'last') ? [...lines, line] : [line, ...lines])
        return undefined
      },
    },
    deleteheader: {
      positional: ['string', 'strings'],
      lastIsOptional: true,
      matches: true,
      tags: {
        index: {
          value: 'number',
          check: (call) => (tagAmount(call, 'index') === 0 ? '":index" must be 1 or more' : null),
        },
        last: { check: (call) => (hasTag(call, 'index') ? null : '":last" requires ":index"') },
      },
      check: (call) => headerNameProblem(constants(call, 0)),
      run: deleteHeader,
    },
  },
})

const fieldName = (call: Call, run: Run): string => {
  const name = text(call, 0, run)
  const problem = headerNameProblem([name])
  if (problem) throw new SieveRuntimeError(problem)
  return name
}

const fieldValue = (call: Call, run: Run): string => {
  const value = text(call, 1, run)
  const problem = headerValueProblem([value])
  if (problem) throw new SieveRuntimeError(problem)
  return value
}

async function deleteHeader(call: Call, run: Run): Promise<undefined> {
  const name = fieldName(call, run).toLowerCase()
  if (protectedNames.includes(name)) return
  const lines = headerLines(run)
  const gone = new Set<EditedLine>()
  for (const line of picked(
    call,
    lines.filter(({ header }) => header.name.toLowerCase() === name),
  ))
    if (call.values[1] === null || (await matchValues(call, [line.header.decoded], keys(call, run), run)))
      gone.add(line)
  if (gone.size > 0)
    setHeaderLines(
      run,
      lines.filter((line) => !gone.has(line)),
    )
}

const picked = (call: Call, lines: readonly EditedLine[]): readonly EditedLine[] => {
  const index = tagAmount(call, 'index')
  if (index === null) return lines
  const line = index > lines.length ? undefined : lines.at(hasTag(call, 'last') ? -index : index - 1)
  return line ? [line] : []
}
