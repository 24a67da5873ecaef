import type { Webhook } from '@stoa/mail-model/webhooks.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { TestResult } from '@stoa/ui/webhooks/states.tsx'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { useState } from 'react'
import { isEventType, TEST_EVENT, typeOptions } from './events.ts'
import { testWebhook, WEBHOOKS } from './queries.ts'

/** Sends a signed sample of any event now, and says how it went. */
export const TestPanel = ({ webhook }: { webhook: Webhook }) => {
  const queryClient = useQueryClient()
  const [type, setType] = useState<string>(TEST_EVENT)
  const test = useMutation({
    mutationFn: () => testWebhook(webhook.id, isEventType(type) ? type : TEST_EVENT),
    onSettled: () => queryClient.invalidateQueries({ queryKey: WEBHOOKS }),
  })
  return (
    <Panel title="Test webhook" description="Sends a signed sample event, even when the webhook is off.">
      <div className="flex min-w-0 flex-col gap-3">
        <div className="flex flex-wrap items-center gap-2">
          <Select
            aria-label="Test event"
            className="max-w-60 flex-1"
            value={type}
            options={typeOptions}
            onValue={setType}
          />
          <Button icon={<Send />} loading={test.isPending} onClick={() => test.mutate()}>
            Send test
          </Button>
        </div>
        {test.error ? <Notice tone="danger">{messageOf(test.error)}</Notice> : null}
        {test.data && !test.isPending ? (
          <TestResult
            delivered={test.data.delivered}
            status={test.data.status_code}
            durationMs={test.data.duration_ms}
            error={test.data.error}
            response={test.data.response_body}
          />
        ) : null}
      </div>
    </Panel>
  )
}
