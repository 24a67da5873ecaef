import type { Report } from '@stoa/mail-model/domains.ts'
import { CodeBlock } from '@stoa/ui/display/code-block.tsx'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { formatAbsolute, formatNumber } from '@stoa/ui/text/format.ts'
import { FailureTable, SourceTable } from './detail-tables.tsx'
import { failuresOf, sourcesOf } from './figures.ts'
import { reportWords } from './words.ts'

/** One report: who sent it, what it counts, and its rows. */
export const ReportDialog = ({ report, onClose }: { report: Report; onClose: () => void }) => {
  const words = reportWords[report.type]
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="lg"
      title={`${words.name} report from ${report.org}`}
      description={`${formatAbsolute(new Date(report.begin))} to ${formatAbsolute(new Date(report.end))}`}
    >
      <div className="flex min-w-0 flex-col gap-4">
        <p className="text-muted">
          {formatNumber(report.pass)} {words.unit} {words.pass}, {formatNumber(report.fail)} {words.fail}.
        </p>
        {report.type === 'dmarc' ? (
          <SourceTable sources={sourcesOf([report])} />
        ) : (
          <FailureTable failures={failuresOf([report])} />
        )}
        <CodeBlock label="reported rows" code={JSON.stringify(report.rows, null, 2)} />
      </div>
    </Dialog>
  )
}
