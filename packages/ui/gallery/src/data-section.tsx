import { useState } from 'react'
import { Button } from '../../src/button/button.tsx'
import { CopyButton } from '../../src/button/copy-button.tsx'
import { CodeBlock } from '../../src/display/code-block.tsx'
import { QrCode } from '../../src/display/qr-code.tsx'
import { SecretOnceDialog } from '../../src/layer/secret-once-dialog.tsx'
import { Specimen, Specimens } from './specimen.tsx'

const curl = `curl -H 'Authorization: Bearer cmsdlv_example' \\
  'https://cms.example.test/content/post?limit=10&sort=-publishedAt'`

const dkim = `s1._domainkey.example.test. 3600 IN TXT "v=DKIM1; k=rsa; p=${'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA'.repeat(4)}"`

export const DataSection = () => {
  const [open, setOpen] = useState(false)
  return (
    <Specimens>
      <Specimen title="Code block" stack>
        <CodeBlock label="curl" code={curl} />
      </Specimen>
      <Specimen title="Code block, long line wrapped" stack>
        <CodeBlock label="DNS record" code={dkim} wrap />
      </Specimen>
      <Specimen title="Copy">
        <CopyButton text="hello" />
        <CopyButton text="hello" label="Copy address" iconOnly />
      </Specimen>
      <Specimen title="QR code">
        <QrCode text="https://example.test/" label="QR code of example.test" className="size-32" />
      </Specimen>
      <Specimen title="Secret shown once">
        <Button onClick={() => setOpen(true)}>Make a key</Button>
        {open ? (
          <SecretOnceDialog
            title="Delivery key “Website”"
            help="Put it into the environment of your website."
            secrets={['cmsdlv_7Qm3vJk2Xw9sT4bN8yHc6LpR1eZuGfAo']}
            fileName="delivery-key.txt"
            onClose={() => setOpen(false)}
          />
        ) : null}
      </Specimen>
    </Specimens>
  )
}
