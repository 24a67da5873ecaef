import { constants, isMade, tagAmount, text } from '../arguments.ts'
import type { Call } from '../compiled.ts'
import { currentPart } from '../current-part.ts'
import { type CheckScope, defineExtension } from '../define.ts'
import { htmlText } from '../html-text.ts'
import type { Run } from '../run-state.ts'
import { cutText, variableNameProblem, writeVariable } from '../variables.ts'
import { modified } from './variables.ts'

/** RFC 5703 §7: the text of the current part in a variable. */
export const extracttext = defineExtension({
  name: 'extracttext',
  commands: {
    extracttext: {
      positional: ['string'],
      tags: { first: { value: 'number' } },
      check: problemOf,
      run: async (call, run) => {
        const found = await partText(run)
        const first = tagAmount(call, 'first') ?? found.length
        writeVariable(run, text(call, 0, run), modified(call, cutText(found, first), run))
        return undefined
      },
    },
  },
})

const partText = async (run: Run): Promise<string> => {
  const { part } = currentPart(run)
  if (part.type !== 'text') return ''
  const content = cutText(await part.text(), run.limits.textLength)
  run.spend(content.length / 16)
  return part.subtype === 'html' ? htmlText(content) : content
}

function problemOf(call: Call, scope: CheckScope): string | null {
  if (!scope.hasExtension('variables')) return '"extracttext" requires the extension "variables"'
  if (!scope.enclosing.some(({ name }) => name === 'foreverypart'))
    return '"extracttext" can only be used inside "foreverypart"'
  if (isMade(call.values[0])) return "the variable name can't contain variables"
  return variableNameProblem(constants(call, 0)[0] ?? '')
}
