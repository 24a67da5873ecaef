import type {
  VisitorQuestionList,
  VisitorSettings,
  VisitorSettingsInput,
  VisitorUsage,
} from '@stoa/cms-model/visitor.ts'
import { queryOptions } from '@tanstack/react-query'
import { ifMatch, sendSignedIn } from '../api.ts'

const SETTINGS = '/api/assistant/visitor'
const QUESTIONS = '/api/assistant/visitor/questions'
const PER_PAGE = 50

export const readVisitorSettings = (signal?: AbortSignal) => sendSignedIn<VisitorSettings>('GET', SETTINGS, { signal })
export const visitorSettingsQuery = queryOptions({
  queryKey: ['visitor', 'settings'],
  queryFn: ({ signal }) => readVisitorSettings(signal),
})
export const updateVisitorSettings = (body: VisitorSettingsInput, version: number | 'any') =>
  sendSignedIn<VisitorSettings>('PUT', SETTINGS, { body, headers: ifMatch(version) })

/** How much of today's questions is used up. */
export const visitorUsageQuery = queryOptions({
  queryKey: ['visitor', 'usage'],
  queryFn: ({ signal }) => sendSignedIn<VisitorUsage>('GET', `${SETTINGS}/usage`, { signal }),
  // Visitors ask all the time
  staleTime: 0,
})

export type QuestionFilter = {
  /** `true`, `false`, or empty for both. */
  found: string
  /** A day, or empty. */
  from: string
}

/** The common prefix of the query keys of all question lists. */
export const questionsKey = ['visitor', 'questions'] as const

const searchOf = (filter: Readonly<Record<string, string>>): URLSearchParams =>
  new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''))

export const questionsQuery = (filter: QuestionFilter & { page: number; limit?: number }) =>
  queryOptions({
    queryKey: [...questionsKey, filter],
    queryFn: ({ signal }) => {
      const { found, from, page, limit = PER_PAGE } = filter
      const search = searchOf({ found, from, page: String(page), limit: String(limit) })
      return sendSignedIn<VisitorQuestionList>('GET', `${QUESTIONS}?${search}`, { signal })
    },
    placeholderData: (before) => before,
    // Visitors ask all the time
    staleTime: 0,
  })

export const questionsFile = ({ found, from }: QuestionFilter): string =>
  `${QUESTIONS}?${searchOf({ format: 'csv', found, from })}`

export const deleteQuestions = () => sendSignedIn<undefined>('DELETE', QUESTIONS)
