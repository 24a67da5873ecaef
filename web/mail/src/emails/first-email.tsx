import { CodeBlock } from '@stoa/ui/display/code-block.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { LinkButton, TextLink } from '@stoa/ui/navigation/link.tsx'
import { useQuery } from '@tanstack/react-query'
import { KeyRound, Send } from 'lucide-react'
import { meQuery } from '../queries.ts'
import { domainChoicesQuery } from './queries.ts'
import { clientExample, curlExample, senderOf } from './snippets.ts'

/** Before anything was sent: how it is done, with examples that work as they are. */
export const FirstEmail = () => {
  const { data: me } = useQuery(meQuery)
  const { data: domains, isPending } = useQuery(domainChoicesQuery)
  const canSend = domains?.data.some(({ capabilities }) => capabilities.sending === 'enabled') ?? true
  const example = { origin: location.origin, from: senderOf(domains?.data ?? []), to: me?.email ?? '' }
  return (
    <div className="flex flex-col pb-6">
      <EmptyState
        icon={<Send />}
        title="No emails yet"
        className="pb-6!"
        action={
          <LinkButton to="/api-keys?new=1" variant="primary" icon={<KeyRound />}>
            Create API key
          </LinkButton>
        }
      >
        Emails your apps send through the API appear here. To send a test, replace $RESEND_API_KEY with your key and run
        one of these examples.
      </EmptyState>
      <div className="flex min-w-0 flex-col gap-4 px-5">
        {canSend ? null : (
          <Notice tone="warning" title="No domain can send yet">
            <TextLink to="/domains">Add your domain</TextLink> and publish its DNS records, then replace the sender{' '}
            {example.from}.
          </Notice>
        )}
        {/* The example waits for its data: it must not change while it is being copied */}
        {isPending ? (
          <SkeletonText lines={8} />
        ) : (
          <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
            <CodeBlock label="curl" code={curlExample({ ...example, token: '$RESEND_API_KEY' })} />
            <CodeBlock label="Node.js" code={clientExample({ ...example, token: '$RESEND_API_KEY' })} />
          </div>
        )}
      </div>
    </div>
  )
}
