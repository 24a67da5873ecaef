import type { Domain } from '@stoa/mail-model/domains.ts'
import { buttonClass } from '@stoa/ui/button/button-class.ts'
import { CodeBlock } from '@stoa/ui/display/code-block.tsx'
import { SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { ListError } from '@stoa/ui/table/table-parts.tsx'
import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { zonePath, zoneQuery } from '../queries.ts'

/** All records as a zone file, to look at and to download. */
export const ZoneDialog = ({ domain, onClose }: { domain: Domain; onClose: () => void }) => {
  const query = useQuery(zoneQuery(domain.id))
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="lg"
      title="Zone file"
      description="Most DNS providers can import this file. It only has the mail records: add them to your existing records, don't replace those."
      footer={
        <a href={zonePath(domain.id)} download={`${domain.name}.zone`} className={buttonClass('primary')}>
          <Download aria-hidden />
          Download zone file
        </a>
      }
    >
      {query.data !== undefined ? (
        <CodeBlock label="zone file" code={query.data} />
      ) : query.error ? (
        <ListError message="Couldn't load the zone file." onRetry={() => void query.refetch()} />
      ) : (
        <SkeletonText lines={8} />
      )}
    </Dialog>
  )
}
