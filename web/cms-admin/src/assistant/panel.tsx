import type { Me } from '@stoa/cms-model/accounts.ts'
import type { AiConnection } from '@stoa/cms-model/ai.ts'
import { Button, IconButton } from '@stoa/ui/button/button.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { QueryBoundary } from '@stoa/ui/feedback/query-boundary.tsx'
import { LinkButton, useNavigateTo } from '@stoa/ui/navigation/link.tsx'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { History, Inbox, MessageSquarePlus } from 'lucide-react'
import { useState } from 'react'
import { may } from '../allowed.tsx'
import { meQuery } from '../queries.ts'
import { Composer } from './composer.tsx'
import { HistoryView } from './history-view.tsx'
import { Messages } from './messages.tsx'
import { ShownSecret } from './proposals/shown-secret.tsx'
import { aiQuery, openProposalsQuery } from './queries.ts'
import { useAssistantScope } from './scope.ts'
import { AI_PATH, destinationOf, leavesDocument } from './screens.ts'
import { TrayView } from './tray-view.tsx'
import { UsageLine } from './usage-line.tsx'
import { useChat, useKeepProposals } from './use-chat.ts'
import { useFreshProposals } from './use-fresh-proposals.tsx'

/** The assistant beside every screen. */
export const AssistantPanel = () => {
  const { data: me } = useSuspenseQuery(meQuery)
  const query = useQuery(aiQuery)
  return (
    <QueryBoundary query={query} name="The assistant" lines={4}>
      {(ai) => (ai.connected ? <Connected me={me} ai={ai} /> : <NotConnected me={me} />)}
    </QueryBoundary>
  )
}

const NotConnected = ({ me }: { me: Me }) => (
  <EmptyState
    icon={<MessageSquarePlus />}
    title="No AI provider connected"
    action={
      may(me, 'settings.manage') ? (
        <LinkButton to={AI_PATH} variant="primary">
          Connect a provider
        </LinkButton>
      ) : undefined
    }
  >
    {may(me, 'settings.manage')
      ? 'The assistant reads your content and proposes changes for you to review. Connect an AI provider to use it.'
      : 'The assistant reads your content and proposes changes. Ask an admin to connect an AI provider.'}
  </EmptyState>
)

const NoTools = ({ me, model }: { me: Me; model: string }) => (
  <EmptyState
    icon={<MessageSquarePlus />}
    title="This model can't call tools"
    action={may(me, 'settings.manage') ? <LinkButton to={AI_PATH}>Choose another model</LinkButton> : undefined}
  >
    {`${model} works for the field assistant. The assistant needs a model that can call tools.`}
  </EmptyState>
)

type View = 'chat' | 'history' | 'tray'

const Connected = ({ me, ai }: { me: Me; ai: AiConnection }) => {
  const [view, setView] = useState<View>('chat')
  const navigateTo = useNavigateTo()
  const scope = useAssistantScope()
  const { state, conversing } = useChat(me.id, ({ screen, id }) => {
    const destination = destinationOf(screen, id)
    // Another document would end the answer here: its link is below the step
    if (destination && !leavesDocument(scope.path, destination.to)) navigateTo(destination.to)
  })
  const tray = useQuery(openProposalsQuery)
  useKeepProposals(tray.data?.items)
  const fresh = useFreshProposals()
  if (!ai.capabilities.assistant) return <NoTools me={me} model={ai.model ?? 'This model'} />
  const show = (next: View) => setView(view === next ? 'chat' : next)
  const waiting = tray.data?.items.length ?? 0
  return (
    <div className="-m-4 flex min-h-0 min-w-0 flex-1 flex-col">
      {fresh}
      <ShownSecret />
      <div className="flex shrink-0 items-center gap-1 border-line border-b px-3 py-1.5">
        <Button
          size="sm"
          variant="ghost"
          icon={<MessageSquarePlus />}
          onClick={() => {
            conversing.reset()
            setView('chat')
          }}
        >
          New
        </Button>
        <span className="flex-1" />
        <Button
          size="sm"
          variant="ghost"
          icon={<Inbox />}
          aria-pressed={view === 'tray'}
          aria-label={`Open proposals: ${waiting}`}
          onClick={() => show('tray')}
        >
          {waiting}
        </Button>
        <IconButton
          size="sm"
          label="Conversations"
          icon={<History />}
          aria-pressed={view === 'history'}
          onClick={() => show('history')}
        />
      </div>
      {view === 'chat' ? (
        <>
          <Messages me={me} state={state} conversing={conversing} scope={scope} />
          <Composer person={me.id} state={state} conversing={conversing} scope={scope} />
          <UsageLine me={me} usage={state.chat.usage} />
        </>
      ) : (
        <div className="min-h-0 flex-1 overflow-y-auto p-4">
          {view === 'history' ? (
            <HistoryView
              shown={state.id}
              onOpen={(id) => {
                void conversing.open(id)
                setView('chat')
              }}
              onDeleted={(id) => {
                if (id === state.id) conversing.reset()
              }}
            />
          ) : (
            <TrayView me={me} query={tray} />
          )}
        </div>
      )}
    </div>
  )
}
