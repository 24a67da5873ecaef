import type { ContentType } from '@stoa/cms-model/content-types.ts'
import { topLayer } from '@stoa/ui/layer/layers.ts'
import { useEffect, useEffectEvent } from 'react'
import { sortProblems } from '../session/problems.ts'
import type { State } from '../session/session-state.ts'

/** A refusal that someone waited for leads to the first input that it is about. */
export const useFocusOnProblem = (type: ContentType, state: State): void => {
  const focus = useEffectEvent(() => {
    const [first] = sortProblems(type, state.problems).placed
    if (first) focusProblem(type, first.key)
  })
  useEffect(() => {
    if (state.refusals > 0) focus()
  }, [state.refusals])
}

/** Rows and editors that open for a problem need a moment to be there. */
const TRIES = 20
const TRY_MS = 50

/** Shows the input that a problem is about, or the nearest thing around it. */
export const focusProblem = (type: Pick<ContentType, 'fields'>, key: string, tries = TRIES): void => {
  const later = (rest: number) => setTimeout(() => focusProblem(type, key, rest), TRY_MS)
  // A dialog that closes gives the focus back to where it came from, a moment after it is gone
  if (topLayer() !== PAGE) return void later(TRIES + 1)
  if (tries > TRIES) return void later(TRIES)
  const isFirst = tries === TRIES
  const path = pathOf(type, key)
  const exact = document.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"]`)
  if (!exact && tries > 0) later(tries - 1)
  if (exact || isFirst || tries === 0) focusIn(exact ?? nearest(path))
}

const PAGE = 0

const focusIn = (found: HTMLElement | null): void => {
  const input = found?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? found?.querySelector<HTMLElement>(INPUTS)
  found?.scrollIntoView({ block: 'center' })
  input?.focus({ preventScroll: true })
}

const INPUTS = 'input, textarea, select, [contenteditable="true"], button, [tabindex]'

/** Title and slug are no fields, and stand apart from fields of that name. */
const pathOf = ({ fields }: Pick<ContentType, 'fields'>, key: string): string => {
  const isField = fields.some((field) => field.key === key.split('.')[0])
  return (key === 'title' || key === 'slug') && !isField ? `:${key}` : key
}

const nearest = (path: string): HTMLElement | null => {
  const parts = path.split('.')
  for (let length = parts.length - 1; length > 0; length -= 1) {
    const around = document.querySelector<HTMLElement>(`[data-path="${CSS.escape(parts.slice(0, length).join('.'))}"]`)
    if (around) return around
  }
  return null
}
