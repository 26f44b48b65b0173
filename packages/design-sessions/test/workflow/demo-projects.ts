// Two projects as architects bring them, and which items of security matter to each.
import type { Facts } from '../../src/records/facts.ts'

interface DemoProject {
  readonly name: string
  readonly project: object
  /** without the stage */
  readonly facts: Facts
  /** critical items without facts, and in a first workshop */
  readonly before: number
  readonly asked: number
  /** file and beginning of items that a first workshop must ask */
  readonly security: readonly string[]
  /** of those that do not apply */
  readonly unfit: readonly string[]
}

/** Words of an item or of its file's name that are about security. */
export const SECURITY: RegExp = new RegExp(
  [
    'security|identity|secret|data-protection|tenan|iam|entra|vault|compliance/|encrypt|credential',
    'keys?\\b|attack|access|authenti|authori[sz]|multi-factor|firewall|privileg|token|malware|TLS',
    'stolen|admin|vulnerab|breach|certificat|private response|bastion|injection|revoked',
  ].join('|'),
  'i',
)

/** Of every project. */
export const ALWAYS: readonly string[] = [
  'failures/data-loss-by-operator.md Can one person alone delete production data',
  'general/backup-and-restore.md Is there at least one copy that no production credential',
  'general/compliance-scoping.md Which frameworks apply',
  'general/data-protection.md Which classes of data',
  'general/data-protection.md Is every store and every link encrypted',
  'general/identity-and-access.md Which directory',
  'general/identity-and-access.md Is phishing-resistant multi-factor',
  'general/identity-and-access.md Which authorisation model',
  'general/identity-and-access.md Do workloads authenticate',
  'general/load-balancing-and-dns.md Where does TLS end',
  'general/networking.md Which zones exist',
  'general/networking.md How does traffic leave',
  'general/networking.md Which management interfaces',
  'general/secrets-management.md Where is each secret stored',
  'general/security.md Has a threat model',
  'general/security.md Which components are reachable from the internet',
  'general/security.md Where do authentication, authorisation and administrative events go',
  'general/tenancy.md Are production and non-production',
]

export const PROJECTS: readonly DemoProject[] = [
  {
    name: 'an image archive on VMware and Azure under HIPAA',
    project: {
      description:
        'Image archive of a hospital on VMware in two rooms of its own, with cool and archive ' +
        'tiers in Azure over ExpressRoute, under HIPAA. 120 TB move from an older archive before ' +
        'the VMware licences are renewed.',
      cloud_providers: ['vmware', 'azure'],
      architecture_pattern: 'hybrid-cloud',
    },
    facts: {
      personal_data: 'yes',
      tenants: 'one',
      hosting: 'own',
      lasting_data: 'yes',
      load: 'high',
      software: 'bought',
      messages: 'yes',
      partners: 'yes',
      predecessor: 'yes',
    },
    before: 274,
    asked: 58,
    security: [
      ...ALWAYS,
      'compliance/hipaa.md Is the client a covered entity',
      'compliance/hipaa.md Are only services listed as eligible',
      "compliance/hipaa.md Can each access to a patient's record",
      'compliance/hipaa.md Is ePHI encrypted',
      'providers/azure/entra-id-and-rbac.md Are privileged roles',
      'providers/azure/entra-id-and-rbac.md Do Azure resources call each other',
      'providers/azure/entra-id-and-rbac.md Does conditional access',
      'providers/azure/landing-zone.md Does Azure Policy deny',
      'providers/azure/storage-accounts.md Is shared key access disabled',
      'providers/azure/storage-accounts.md Does each needed sub-resource',
      'providers/vmware/nsx.md Are distributed firewall rules',
      'providers/vmware/vsphere-clusters.md Is the management network',
    ],
    unfit: [
      // Nothing is written for it.
      'general/api-design.md Can every unsafe operation be repeated safely',
      'general/security.md Is every input from outside a trust boundary validated',
      // One hospital.
      'general/tenancy.md What is the unit of isolation',
      'general/tenancy.md Which mechanism stops a query',
      // Hardware of its own.
      'providers/vmware/hosting-model.md Does a shared provider cluster',
    ],
  },
  {
    name: 'an IoT fleet on AWS and Kubernetes',
    project: {
      description:
        'IoT fleet as a service: sensors in vehicles report to AWS, services run on Kubernetes ' +
        '(EKS), customers see their vehicles on a map. GDPR and SOC 2.',
      cloud_providers: ['aws', 'kubernetes'],
      architecture_pattern: 'edge-computing',
    },
    facts: {
      personal_data: 'yes',
      tenants: 'several',
      hosting: 'cloud',
      lasting_data: 'yes',
      load: 'high',
      software: 'built',
      messages: 'yes',
      partners: 'yes',
      predecessor: 'no',
    },
    before: 261,
    asked: 59,
    security: [
      ...ALWAYS,
      'compliance/gdpr.md Which personal data categories',
      'general/tenancy.md What is the unit of isolation',
      'general/tenancy.md Which mechanism stops a query',
      'patterns/edge-computing.md How is a node provisioned',
      'patterns/edge-computing.md What happens if a box is stolen',
      'providers/aws/eks.md Who may reach the API endpoint',
      'providers/aws/eks.md Do pods get AWS permissions',
      'providers/aws/iam-and-organizations.md Is the management account free',
      'providers/aws/iam-and-organizations.md Do people sign in only',
      'providers/aws/iam-and-organizations.md Does an organisation-wide CloudTrail',
      'providers/aws/iam-and-organizations.md Which guardrails',
      'providers/aws/rds-aurora.md Is storage encrypted from creation',
      'providers/aws/s3-storage.md Is Block Public Access on',
      'providers/kubernetes/networking.md Is there a default-deny',
      'providers/kubernetes/security.md Do people authenticate by OIDC',
      'providers/kubernetes/security.md Does Pod Security Admission',
      'providers/kubernetes/security.md Are Secrets encrypted',
      'providers/kubernetes/security.md Can one tenant escape',
    ],
    unfit: [],
  },
]
