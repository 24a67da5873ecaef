import { Inbox, Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../src/button/button.tsx'
import { Panel } from '../../src/display/panel.tsx'
import { EmptyState } from '../../src/feedback/empty-state.tsx'
import { ErrorBoundary } from '../../src/feedback/error-boundary.tsx'
import { Notice } from '../../src/feedback/notice.tsx'
import { Progress } from '../../src/feedback/progress.tsx'
import { SkeletonText } from '../../src/feedback/skeleton.tsx'
import { toast } from '../../src/feedback/toast-store.ts'
import { Specimen, Specimens } from './specimen.tsx'

const drawings = ['documents', 'pictures', 'people', 'calendar', 'shapes', 'done'] as const

export const FeedbackSection = () => (
  <Specimens>
    <Specimen title="Notices" stack>
      <Notice>Previews show the working copy.</Notice>
      <Notice tone="success" title="Domain verified">
        Mail for example.test is delivered here.
      </Notice>
      <Notice tone="warning" title="Two records are missing" action={<Button size="sm">Check again</Button>}>
        Publish them at your DNS provider.
      </Notice>
      <Notice tone="danger">The email address or password is wrong.</Notice>
    </Specimen>
    <Specimen title="Toasts">
      <Button onClick={() => toast({ tone: 'success', title: 'Entry published' })}>Success</Button>
      <Button
        onClick={() =>
          toast({
            title: '3 messages archived',
            action: { label: 'Undo', onAction: () => toast({ title: 'Back in the inbox' }) },
          })
        }
      >
        With undo
      </Button>
      <Button
        onClick={() =>
          toast({ tone: 'danger', title: 'The webhook could not be saved', description: 'The address is not public.' })
        }
      >
        Problem
      </Button>
      <Button onClick={() => toast({ title: 'Gone in a moment', durationMs: 500 })}>Short</Button>
    </Specimen>
    <Specimen title="Progress" stack>
      <ProgressExamples />
    </Specimen>
    <Specimen title="Loading" stack>
      <SkeletonText lines={4} />
    </Specimen>
    <Specimen title="Empty state" stack>
      <Panel>
        <EmptyState
          icon={<Inbox />}
          title="No domains yet"
          action={
            <Button variant="primary" icon={<Plus />}>
              Add a domain
            </Button>
          }
        >
          A domain is where your addresses live. Add one that you own, and we show you which DNS records it needs.
        </EmptyState>
      </Panel>
    </Specimen>
    <Specimen title="Empty lists" stack>
      <div className="grid grid-cols-3 gap-4 phone:grid-cols-1">
        {drawings.map((name) => (
          <Panel key={name}>
            <EmptyState drawing={name} title={`Nothing here: ${name}`} className="py-4!" />
          </Panel>
        ))}
      </div>
    </Specimen>
    <Specimen title="A screen that fell over" stack>
      <Panel>
        <ErrorBoundary>
          <Fragile />
        </ErrorBoundary>
      </Panel>
    </Specimen>
  </Specimens>
)

const ProgressExamples = () => {
  const [cancelled, setCancelled] = useState(false)
  return (
    <>
      <Progress
        label="Importing posts.json"
        done={412}
        total={1204}
        unit="entries"
        state={cancelled ? 'cancelled' : 'running'}
        detail={cancelled ? 'Canceled. 412 entries were imported.' : 'opening-hours-in-the-week-after-easter'}
        onCancel={() => setCancelled(true)}
      />
      <Progress label="Checking DNS" done={3} unit="records" />
      <Progress
        label="Transfer from old host"
        done={12408}
        total={12408}
        unit="messages"
        state="done"
        detail="Finished"
      />
      <Progress
        label="Upload of video.mp4"
        done={61}
        total={100}
        unit="MB"
        state="failed"
        detail="The connection was lost."
      />
    </>
  )
}

const Fragile = () => {
  const [broken, setBroken] = useState(false)
  if (broken) throw new Error('Broken on purpose')
  return (
    <Button variant="danger-quiet" onClick={() => setBroken(true)}>
      Break this screen
    </Button>
  )
}
