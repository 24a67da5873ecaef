import { Button } from '@stoa/ui/button/button.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { Crash } from '@stoa/ui/feedback/error-boundary.tsx'
import { Skeleton, SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useNavigate } from '@tanstack/react-router'
import { MailX } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { compose } from '../compose/compose.ts'
import { ConversationView } from './conversation-view.tsx'
import { useConversation } from './use-conversation.ts'

/** The conversation or message of the address, with what can be done with it. */
export const ReadingPane = ({ place, messageId }: { place: string; messageId: string }) => {
  const conversation = useConversation(messageId)
  const navigate = useNavigate()
  const back = () =>
    void navigate({
      to: '/webmail/$place',
      params: { place },
      search: (search: Record<string, unknown>) => search,
      replace: true,
    })
  const asked = conversation.status === 'ready' ? conversation.messages.find(({ id }) => id === messageId) : undefined
  const isDraft = asked?.flags.draft ?? false
  useWriteOn(isDraft ? messageId : undefined, back)
  switch (conversation.status) {
    case 'gone':
      return <GoneMessage onBack={back} />
    case 'error':
      return (
        <Crash title="Couldn't load this message" onRetry={conversation.onRetry}>
          {messageOf(conversation.error)}
        </Crash>
      )
    case 'loading':
      return <PaneSkeleton />
    case 'ready':
      return isDraft ? (
        <PaneSkeleton />
      ) : (
        <ConversationView
          key={conversation.threadId}
          place={place}
          messageId={messageId}
          messages={conversation.messages}
          settings={conversation.settings}
        />
      )
  }
}

/** A draft is written on, not read. */
const useWriteOn = (draftId: string | undefined, onOpened: () => void): void => {
  const opened = useRef<string>(undefined)
  useEffect(() => {
    if (draftId === undefined || opened.current === draftId) return
    opened.current = draftId
    compose({ kind: 'draft', id: draftId })
    onOpened()
  })
}

const GoneMessage = ({ onBack }: { onBack: () => void }) => (
  <>
    <title>Not found · Stoa Mail</title>
    <EmptyState
      icon={<MailX />}
      title="This message no longer exists"
      action={<Button onClick={onBack}>Back to list</Button>}
    >
      It was permanently deleted, here or in another app.
    </EmptyState>
  </>
)

const PaneSkeleton = () => (
  <div role="status" className="flex flex-col gap-5 px-5 pt-16">
    <span className="sr-only">Loading message</span>
    <Skeleton className="h-6 w-2/3" />
    <div className="flex items-center gap-3">
      <Skeleton className="h-10! w-10 shrink-0 rounded-full!" />
      <div className="flex flex-1 flex-col gap-2">
        <Skeleton className="w-1/3" />
        <Skeleton className="w-1/4" />
      </div>
    </div>
    <SkeletonText lines={6} />
  </div>
)
