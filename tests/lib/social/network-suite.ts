import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach } from 'node:test'
import type { FoundAccount, Network } from '@stoa/cms/social/networks/network.ts'
import type { FakeNetwork } from './fake-network.ts'
import { type Ground, startGround } from './network-ground.ts'

/** A fresh environment for each test that asks for one. */
export const groundPerTest = <O extends object, F extends FakeNetwork>(
  name: string,
  network: Network,
  createFake: (options: O) => F,
) => {
  let ground: Ground<F> | undefined
  const close = async (): Promise<void> => {
    await ground?.close()
    ground = undefined
  }
  afterEach(close)
  const open = async (options: O, used: Network): Promise<FoundAccount[]> => {
    await close()
    ground = await startGround(name, used, createFake(options))
    return ground.connect()
  }
  return {
    get ground(): Ground<F> {
      assert.ok(ground, 'nothing was started')
      return ground
    },
    /** Every account that a consent finds. */
    connect: (options = {} as O, used = network) => open(options, used),
    /** The first of them. */
    async start(options = {} as O): Promise<FoundAccount> {
      const [account] = await open(options, network)
      assert.ok(account)
      return account
    },
  }
}

/** One environment for all tests of a file, with nothing left of the scripts of the test before. */
export const groundPerFile = <F extends FakeNetwork & { processing: object }>(
  name: string,
  network: Network,
  createFake: () => F,
) => {
  let ground: Ground<F>
  let accounts: FoundAccount[]
  let calm: object
  before(async () => {
    ground = await startGround(name, network, createFake())
    accounts = await ground.connect()
    calm = { ...ground.fake.processing }
  })
  after(() => ground.close())
  beforeEach(() => {
    ground.fakes.clearScripts()
    Object.assign(ground.fake.processing, calm)
  })
  return {
    get ground(): Ground<F> {
      return ground
    },
    get accounts(): FoundAccount[] {
      return accounts
    },
    get account(): FoundAccount {
      return accounts[0] ?? assert.fail('nothing was connected')
    },
    last: () => ground.posts()[0] ?? assert.fail('nothing is live'),
    image: (given = {}) => ground.files.image(given),
    /** A network that behaves otherwise, for one test. */
    async with<T>(fake: F, run: (other: Ground<F>) => Promise<T>): Promise<T> {
      const other = await startGround(name, network, fake)
      try {
        return await run(other)
      } finally {
        await other.close()
      }
    },
  }
}
