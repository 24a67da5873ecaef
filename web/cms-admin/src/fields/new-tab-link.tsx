import { iconButtonClass } from '@stoa/ui/button/button-class.ts'
import { Tooltip } from '@stoa/ui/layer/tooltip.tsx'
import { appBase } from '@stoa/ui/request/request.ts'
import { ExternalLink } from 'lucide-react'

/** Opens a screen of the admin beside this one, so that nothing typed here is left. */
export const NewTabLink = ({ to, label }: { to: string; label: string }) => (
  <Tooltip label={`${label} in a new tab`}>
    <a
      href={`${appBase()}${to}`}
      target="_blank"
      rel="noreferrer"
      aria-label={`${label} in a new tab`}
      className={iconButtonClass('ghost', 'sm')}
    >
      <ExternalLink aria-hidden />
    </a>
  </Tooltip>
)
