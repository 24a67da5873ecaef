import type { ReactNode } from 'react'
import { Status } from '../display/badge.tsx'
import { CodeBlock } from '../display/code-block.tsx'
import { Notice } from '../feedback/notice.tsx'
import { describeEndpoint, describeOutcome, type EndpointStanding, type OffReason, type Standing } from './words.ts'

/** How the delivery of an event stands, in a word or two. */
export const DeliveryState = (standing: Standing) => {
  const { tone, label } = describeOutcome(standing)
  return <Status tone={tone}>{label}</Status>
}

/** Whether an endpoint is on, and how it does. */
export const EndpointState = (standing: EndpointStanding) => {
  const { tone, label } = describeEndpoint(standing)
  return <Status tone={tone}>{label}</Status>
}

type OffNoticeProps = {
  reason: OffReason
  /** When the service gives up on an endpoint: "Nothing was delivered for five days". */
  gaveUp: string
  children?: ReactNode
}

/** Says why nothing is sent. */
export const OffNotice = ({ reason, gaveUp, children }: OffNoticeProps) => {
  const isOwn = reason === 'owner' || reason === null
  const why = isOwn
    ? 'You turned it off.'
    : `${reason === 'gone' ? 'The endpoint answered 410 Gone' : gaveUp}, so it was turned off.`
  return (
    <Notice tone={isOwn ? 'info' : 'danger'} title="This webhook is off: no events are sent">
      {why} {children}
    </Notice>
  )
}

type TestResultProps = {
  delivered: boolean
  /** HTTP status of the response; null when there was none. */
  status: number | null
  durationMs: number
  error: string | null
  response: string | null
}

/** How a test went. */
export const TestResult = ({ delivered, status, durationMs, error, response }: TestResultProps) => (
  <Notice
    tone={delivered ? 'success' : 'danger'}
    title={
      delivered
        ? `Test delivered: ${status} in ${durationMs} ms`
        : `Test failed${status === null ? '' : `: server returned ${status}`}`
    }
  >
    {error}
    {response ? <CodeBlock label="Response" code={response} wrap className="mt-2" /> : null}
  </Notice>
)
