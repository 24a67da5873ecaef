import { publishProviderOf } from '@stoa/mail-model/dns-providers/index.ts'
import { readStored } from '@stoa/ui/browser/stored.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { History } from 'lucide-react'
import { useState } from 'react'
import { PublishResult } from './publish-result.tsx'
import { readKept, summaryOf } from './publishing.ts'

/** The storage key in this browser for the result of a domain's last publishing. */
export const keptKey = (domainId: string): string => `mail:publish:${domainId}`

/** The last publishing from this browser, to be read again. */
export const LastPublish = ({ domainId }: { domainId: string }) => {
  const [open, setOpen] = useState(false)
  const kept = readKept(readStored(keptKey(domainId)))
  if (!kept) return null
  const provider = publishProviderOf(kept.publish.provider)?.name ?? kept.publish.provider
  return (
    <div className="-my-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-muted text-sm">
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
