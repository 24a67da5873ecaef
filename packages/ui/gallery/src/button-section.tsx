import { Bell, Lock, Plus, Send, Settings, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../../src/button/button.tsx'
import { Avatar } from '../../src/display/avatar.tsx'
import { Badge, Status } from '../../src/display/badge.tsx'
import { RelativeTime } from '../../src/display/relative-time.tsx'
import { Tooltip } from '../../src/layer/tooltip.tsx'
import { LinkButton, TextLink } from '../../src/navigation/link.tsx'
import { Kbd } from '../../src/shortcuts/kbd.tsx'
import { Specimen, Specimens } from './specimen.tsx'

export const ButtonSection = () => (
  <Specimens>
    <Specimen title="Variants">
      <Button variant="primary">Publish</Button>
      <Button>Save draft</Button>
      <Button variant="ghost">Preview</Button>
      <Button variant="danger">Delete entry</Button>
      <Button variant="danger-quiet">Revoke key</Button>
    </Specimen>
    <Specimen title="With an icon, as a link">
      <Button variant="primary" icon={<Plus />}>
        New entry
      </Button>
      <Button icon={<Send />}>Send test</Button>
      <LinkButton to="settings" icon={<Settings />}>
        Settings
      </LinkButton>
      <TextLink to="docs">A link in text</TextLink>
    </Specimen>
    <Specimen title="Sizes">
      <Button size="sm">Small</Button>
      <Button>Medium</Button>
      <Button size="lg">Large</Button>
    </Specimen>
    <Specimen title="Loading and disabled">
      <Button variant="primary" loading>
        Publishing
      </Button>
      <Button loading>Saving</Button>
      <Button variant="primary" disabled>
        Publish
      </Button>
      <Button disabled>Save draft</Button>
      <LoadingButton />
    </Specimen>
    <Specimen title="Icon buttons with tooltips">
      <IconButton label="Notifications" icon={<Bell />} />
      <IconButton label="Settings" icon={<Settings />} variant="secondary" />
      <IconButton label="Delete" icon={<Trash2 />} variant="danger-quiet" />
      <IconButton label="Small" icon={<Lock />} size="sm" />
      <Tooltip label="Save the entry" shortcut="mod+s">
        <Button>Hover me</Button>
      </Tooltip>
    </Specimen>
  </Specimens>
)

const LoadingButton = () => {
  const [loading, setLoading] = useState(false)
  return (
    <Button loading={loading} onClick={() => setLoading(true)}>
      Press to load
    </Button>
  )
}

const MINUTE = 60_000
const DAY = 86_400_000

export const IdentitySection = () => (
  <Specimens>
    <Specimen title="Badges">
      <Badge>Viewer</Badge>
      <Badge tone="accent">Owner</Badge>
      <Badge tone="live">Verified</Badge>
      <Badge tone="draft">Pending</Badge>
      <Badge tone="scheduled">Scheduled</Badge>
      <Badge tone="failed" icon={<Lock aria-hidden />}>
        Refused
      </Badge>
    </Specimen>
    <Specimen title="Status">
      <Status tone="draft">Draft</Status>
      <Status tone="live">Live</Status>
      <Status tone="scheduled">Scheduled</Status>
      <Status tone="failed">Failed</Status>
      <Status tone="neutral">Archived</Status>
    </Specimen>
    <Specimen title="Avatars">
      <Avatar name="Ada Lovelace" person="ada@example.test" size="lg" />
      <Avatar name="Zeno of Kition" person="zeno@example.test" />
      <Avatar name="grace@example.test" person="grace@example.test" size="sm" />
      <Avatar name="The system" person={null} />
    </Specimen>
    <Specimen title="Times and keys">
      <RelativeTime at={new Date(Date.now() - 3 * MINUTE)} />
      <RelativeTime at={new Date(Date.now() - DAY)} />
      <RelativeTime at={new Date(Date.now() + 2 * DAY)} />
      <RelativeTime at="2024-03-05T10:00:00Z" />
      <Kbd keys="mod+k" />
      <Kbd keys="g d" />
      <Kbd keys="?" />
    </Specimen>
  </Specimens>
)
