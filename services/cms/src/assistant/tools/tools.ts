import { parseInput } from '@stoa/kit/http/input.ts'
import { appErrorOf, type Json } from '../../people/call-route/call-route.ts'
import { scopeFor } from '../../principal.ts'
import { cleanText } from './clean.ts'
import { fitResult } from './fit.ts'
import { proposeTools } from './propose-tools.ts'
import { moveTools, readTools } from './read-tools.ts'
import { type JsonSchema, repairArguments, schemaOf } from './schema.ts'
import type { Reach, Tool, ToolOutcome } from './tool.ts'

export { type DraftRequest, type ProposalDraft, type RecordRef, recordKinds } from './draft.ts'
export { proposedRoutes, proposeTools } from './propose-tools.ts'
export { type PresentRecord, readRecord } from './proposed-records.ts'
export { roleFor } from './proposing.ts'
export { createReach, type Versions } from './reach.ts'
export type { Reach, Tool, ToolOutcome } from './tool.ts'

/** Every tool of the assistant, in the order of the contract. */
export const tools: readonly Tool[] = [...readTools, ...proposeTools, ...moveTools]

/** What is sent to a model about a tool. */
export type ToolDescription = { readonly name: string; readonly description: string; readonly inputSchema: Json }

/** The tools that this person can use on this site at this moment. */
export const toolsFor = async (reach: Reach): Promise<Tool[]> => {
  const offered = await Promise.all(tools.map((tool) => isOffered(reach, tool)))
  return tools.filter((_, index) => offered[index])
}

/** Sorted by name, so that providers can cache the prompt. */
export const describeTools = (offered: readonly Tool[]): ToolDescription[] =>
  offered
    .map((tool) => ({ name: tool.name, description: tool.description, inputSchema: asJson(schemaOf(tool)) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))

const asJson = (schema: JsonSchema): Json => schema as Json

const isOffered = async (reach: Reach, tool: Tool): Promise<boolean> => {
  if (scopeFor(reach.ctx.principal, tool.permission) === null) return false
  return tool.isAvailable === undefined || tool.isAvailable(reach)
}

export type ToolRun = {
  readonly state: 'ok' | 'error'
  /** What people see while it runs. */
  readonly label: string
  /** The result for people; for an error, its reason. */
  readonly summary: string
  /** JSON for the model. Of a proposal, until it is kept: what it is called. */
  readonly content: string
  /** Null where it was refused. */
  readonly outcome: ToolOutcome | null
}

export type Called = { readonly name: string; readonly args: Json }

/** A call that was checked, or why it cannot be made. */
type Prepared = { tool: Tool; input: unknown }

/** What people see while a call runs: known before it does. */
export const labelOf = (call: Called): string => {
  const tool = find(call.name)
  if (tool === null) return inWords(call.name)
  try {
    return labelFor(tool, parseInput(tool.input, repairArguments(tool, call.args), 'body'))
  } catch {
    return inWords(tool.name)
  }
}

/** Does what a model asks for, as far as this person may. Whatever goes wrong is an answer, too. */
export const runTool = async (reach: Reach, call: Called): Promise<ToolRun> => {
  let label = inWords(call.name)
  try {
    const prepared = await prepare(reach, call)
    if (prepared === null) return refused(label, UNKNOWN)
    const { tool, input } = prepared
    label = labelFor(tool, input)
    const outcome = await tool.run(reach, input as never)
    return { state: 'ok', label, ...shown(outcome, input), outcome }
  } catch (raised) {
    return refused(label, errorOf(reach, call, raised))
  }
}

const find = (name: string): Tool | null => tools.find((tool) => tool.name === name) ?? null

/** Null for a tool that there is not, or not for this person: both are the same to the model. */
const prepare = async (reach: Reach, { name, args }: Called): Promise<Prepared | null> => {
  const tool = find(name)
  if (tool === null || !(await isOffered(reach, tool))) return null
  return { tool, input: parseInput(tool.input, repairArguments(tool, args), 'body') }
}

const MAX_LABEL = 120

const labelFor = (tool: Tool, input: unknown): string => cleanText(tool.label(input as never), MAX_LABEL).text

const inWords = (name: string): string => {
  const words = cleanText(name, 64).text.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const shown = (outcome: ToolOutcome, input: unknown): Pick<ToolRun, 'summary' | 'content'> => {
  switch (outcome.kind) {
    case 'result':
      return {
        summary: cleanText(outcome.summary, MAX_LABEL).text,
        content: fitResult(outcome.result as { [member: string]: Json }, offsetIn(input)),
      }
    case 'navigate': {
      const { screen, id } = outcome
      return {
        summary: `Opened ${screen.replaceAll('_', ' ')}`,
        content: fitResult({ opened: true, screen, ...(id !== undefined && { id }) }),
      }
    }
    case 'proposal': {
      const summary = cleanText(outcome.draft.title, MAX_LABEL).text
      return { summary, content: fitResult({ status: 'proposed', summary }) }
    }
  }
}

const offsetIn = (input: unknown): number => {
  const offset = typeof input === 'object' && input !== null && 'offset' in input ? input.offset : 0
  return typeof offset === 'number' ? offset : 0
}

type ToolError = { readonly error: string; readonly code: string; readonly details?: Json }

const UNKNOWN: ToolError = { error: 'There is no such tool, or not for this user', code: 'unknown_tool' }

const refused = (label: string, error: ToolError): ToolRun => ({
  state: 'error',
  label,
  summary: cleanText(error.error, 300).text,
  content: fitResult({ ...error }),
  outcome: null,
})

const errorOf = (reach: Reach, call: Called, raised: unknown): ToolError => {
  const { code, message, details, status } = appErrorOf(raised)
  if (code === 'INTERNAL') reach.ctx.log.error({ err: raised, tool: call.name.slice(0, 64) }, 'a tool failed')
  if (details === undefined || status >= 500) return { error: message, code }
  return { error: message, code, details: inWordsOfTools(details) }
}

/** Lists call these members otherwise than tools do. */
const NAMES: Readonly<Record<string, string>> = { q: 'query', page: 'offset' }

const inWordsOfTools = (details: Record<string, unknown>): Json => {
  const { fields } = details
  if (!Array.isArray(fields)) return details as Json
  const named = fields.map((field: { key: string }) => ({ ...field, key: NAMES[field.key] ?? field.key }))
  return { ...details, fields: named } as Json
}
