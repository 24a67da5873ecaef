export { createBodyHash, type DkimKey } from './dkim.ts'
export { createSigner, type Signer } from './signer.ts'
