// Goal: icons are listed by the names that sources may use. Method: each name of the list leads to
// a picture.
import { expect, test } from 'vitest'
import { collectedIcon, iconNames, iconSvg } from '@orrery/diagrams-py'

test('every listed name has a picture', () => {
  const names = iconNames()
  expect(names.length).toBeGreaterThan(2000)
  expect(names.filter((name) => !iconSvg(collectedIcon(name) ?? '')?.includes('<svg'))).toEqual([])
  const some = ['aws:amazon-ec2', 'azure:key-vaults', 'k8s:pod', 'logos:redis', 'lucide:database']
  expect(some.filter((name) => !names.includes(name))).toEqual([])
})
