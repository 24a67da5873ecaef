import { Button } from '@stoa/ui/button.tsx'
import { Dialog } from '@stoa/ui/dialog.tsx'
import { RelativeTime } from '@stoa/ui/relative-time.tsx'
import { readStored } from '@stoa/ui/stored.ts'
import { History } from 'lucide-react'
import { useState } from 'react'
import { providerOf } from './providers.ts'
import { PublishResult } from './publish-result.tsx'
import { readKept, summaryOf } from './publishing.ts'

/** Where the result of the last publishing of a domain is kept in this browser. */
export const keptKey = (domainId: string): string => `mail:publish:${domainId}`

/** The last publishing from this browser, to be read again. */
export const LastPublish = ({ domainId }: { domainId: string }) => {
  const [open, setOpen] = useState(false)
  const kept = readKept(readStored(keptKey(domainId)))
  if (!kept) return null
  const provider = providerOf(kept.publish.provider)?.name ?? kept.publish.provider
  return (
    <div className="-my-2 flex flex-wrap items-center gap-x-2 gap-y-1 text-muted text-sm">
      <History aria-hidden className="size-4 text-faint" />
      <span>
        Published at {provider} <RelativeTime at={kept.at} />: {summaryOf(kept.publish)}.
      </span>
      <Button size="sm" variant="ghost" onClick={() => setOpen(true)}>
        View result
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        size="lg"
        title={`Published at ${provider}`}
        description={
          <>
            <RelativeTime at={kept.at} />: {summaryOf(kept.publish)}.
          </>
        }
      >
        <PublishResult publish={kept.publish} />
      </Dialog>
    </div>
  )
}
