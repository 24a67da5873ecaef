import { CopyButton } from '@stoa/ui/button/copy-button.tsx'
import { Facts } from '@stoa/ui/display/facts.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { formatBytes } from '@stoa/ui/text/format.ts'
import type { MediaRecord } from '../queries.ts'

/** The read-only properties of a file. */
export const FileFacts = ({ media }: { media: MediaRecord }) => (
  <Facts
    facts={[
      { label: 'URL', value: <Copied text={media.url} label="Copy URL" /> },
      { label: 'Type', value: media.mimeType },
      { label: 'Size', value: formatBytes(media.size) },
      ...(media.width === null || media.height === null
        ? []
        : [{ label: 'Dimensions', value: `${media.width} × ${media.height} pixels` }]),
      {
        label: 'Uploaded',
        value: (
          <>
            <RelativeTime at={media.createdAt} />
            {media.createdBy ? ` by ${media.createdBy.name}` : ''}
          </>
        ),
      },
      { label: 'Changed', value: <RelativeTime at={media.updatedAt} /> },
      { label: 'SHA-256', value: <Copied text={media.hash} label="Copy hash" /> },
      { label: 'ID', value: <Copied text={media.id} label="Copy ID" /> },
    ]}
  />
)

const Copied = ({ text, label }: { text: string; label: string }) => (
  <span className="flex min-w-0 items-center gap-1">
    <code className="min-w-0 break-all font-mono text-xs">{text}</code>
    <CopyButton text={text} label={label} iconOnly />
  </span>
)
