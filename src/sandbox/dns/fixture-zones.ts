/** The zones of the sandbox's DNS that are not of its account's domains. docs/domain-check.md lists them. */
export const fixtureZones = `; A block for each finding of \`mailer domain check --deep\`; it starts with its name, below fixtures.example. Each has the
; records of "defaults", unless it has its own of the same name and type; an empty value removes one. A number is a TTL.
; "at" starts what one name server says, by its address, and "at resolver" what a resolver remembers; "refers" is a
; name that it leaves to other servers. Names: @ is the block's own, one with a dot at the end is complete.

[defaults]
@ MX 10 mx.fixtures.example
@ TXT v=spf1 ip4:192.0.2.0/24 -all
s1._domainkey TXT v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAkR7vVAtUiGaulzZ9IE+ofI35kquriUYTH65X16L7oeDXcP/Z8BAVgfB3YiJBZ916Z1XYJ5TcSCNGrp3mDmwabdJOnHj1U0GoDHFpBbho9229/na/0qMkBIyeptwSwxSVgDGy8GoDCHcHtx2APSRiEIFmCIKLUKwMWhLrxSb/HKq4NxTTHscTgkE19u+zE4jtRC7rgyiad5UPOYA5Mb3UtFE4HB6Wcx/SWh/L2wYPx42ACyLyCfLys2GzzvI3HXNMmapfOtJ8b74KrrZQtSIVxqzj/Cp78KCRhJ8OWcIuIgaplfEeHUYFAWRAYpjwg8jaq2+4CUzX3wnwKUdErYXczQIDAQAB

[fixtures.example.]
@ MX 10 mx.fixtures.example
@ TXT v=spf1 ip4:192.0.2.0/24 -all
_dmarc TXT v=DMARC1; p=reject; rua=mailto:dmarc@fixtures.example
mx A 192.0.2.25
a1 A 192.0.2.31
a2 A 192.0.2.32
many MX 1 m1.fixtures.example
many MX 2 m2.fixtures.example
many MX 3 m3.fixtures.example
many MX 4 m4.fixtures.example
many MX 5 m5.fixtures.example
many MX 6 m6.fixtures.example
many MX 7 m7.fixtures.example
many MX 8 m8.fixtures.example
many MX 9 m9.fixtures.example
many MX 10 m10.fixtures.example
many MX 11 m11.fixtures.example

; What all domains of the sandbox refer to.
[amazonses.com.]
@ TXT v=spf1 ip4:199.255.192.0/22 ip4:199.127.232.0/22 ip4:54.240.0.0/18 ip4:69.169.224.0/20 ip4:23.249.208.0/20 ip4:23.251.224.0/19 ip4:76.223.176.0/20 ip4:54.240.64.0/19 ip4:76.223.128.0/19 ip4:216.221.160.0/19 ip4:206.55.144.0/20 -all

[good]

; Name servers

[record-missing]
[record-wrong]
mail MX 10 mx.other.example

[record-ttl]
mail 604800 MX 10 feedback-smtp.us-east-1.amazonses.com

[negative-cache]
@ NS ns1.negative-cache.fixtures.example
ns1 A 192.0.2.41
_dmarc TXT v=DMARC1; p=reject; rua=mailto:dmarc@fixtures.example
at resolver
_dmarc 3300 TXT

[server-lame]
@ NS ns1.server-lame.fixtures.example
@ NS ns2.server-lame.fixtures.example
@ NS ns3.server-lame.fixtures.example
ns1 A 192.0.2.42
ns2 A 192.0.2.43
at 192.0.2.43
@ REFUSED

[server-differs]
@ TXT v=spf1 ip4:192.0.2.0/24 -all
@ NS ns1.server-differs.fixtures.example
@ NS ns2.server-differs.fixtures.example
ns1 A 192.0.2.44
ns2 A 192.0.2.45
at 192.0.2.45
@ TXT v=spf1 ip4:198.51.100.0/24 -all

[parent]
@ NS ns1.parent.fixtures.example
ns1 A 192.0.2.46
at 192.0.2.46
delegation refers ns1.delegation.parent.fixtures.example ns9.delegation.parent.fixtures.example

[delegation.parent]
@ NS ns1.delegation.parent.fixtures.example
ns1 A 192.0.2.47

[alias-loop]
s1._domainkey TXT
s1._domainkey CNAME s2._domainkey.alias-loop.fixtures.example
s2._domainkey CNAME s1._domainkey.alias-loop.fixtures.example

[wildcard]
*._domainkey TXT hello

; The From domain

[from-missing]
@ MX
@ TXT
s1._domainkey TXT

[from-unreachable]
@ MX

[from-null-mx]
@ MX 0 .

; SPF

[spf-no-record]
@ TXT site-verification=1

[spf-beginning]
@ TXT v=spf1ip4:192.0.2.1 -all

[spf-several-records]
@ TXT v=spf1 ip4:192.0.2.0/24 -all
@ TXT v=spf1 include:spf1.fixtures.example ~all

[spf-syntax]
@ TXT v=spf1 ipv4:192.0.2.0/24 -all

[spf-equals-sign]
@ TXT v=spf1 ip4=192.0.2.0/24 include:good.fixtures.example -all

[spf-too-many-lookups]
@ TXT v=spf1 include:spf1.fixtures.example include:spf2.fixtures.example include:spf3.fixtures.example ~all
[spf1]
@ TXT v=spf1 a:a1.fixtures.example a:a2.fixtures.example mx:fixtures.example ip4:192.0.2.1 -all
[spf2]
@ TXT v=spf1 a:a1.fixtures.example a:a2.fixtures.example mx:fixtures.example -all
[spf3]
@ TXT v=spf1 include:good.fixtures.example exists:a1.fixtures.example -all

[spf-too-many-void-lookups]
@ TXT v=spf1 a:no1.fixtures.example a:no2.fixtures.example mx:no3.fixtures.example ip4:192.0.2.1 -all

[spf-too-many-servers]
@ TXT v=spf1 mx:many.fixtures.example -all

[spf-target-without-record]
@ TXT v=spf1 include:spf-no-record.fixtures.example ip4:192.0.2.1 -all

[spf-loop]
@ TXT v=spf1 include:spf-loop.fixtures.example ip4:192.0.2.1 -all

[spf-passes-all]
@ TXT v=spf1 ip4:192.0.2.1 +all

[spf-too-wide]
@ TXT v=spf1 ip4:0.0.0.0/0 -all

[spf-neutral-all]
@ TXT v=spf1 ip4:192.0.2.1 ?all

[spf-no-all]
@ TXT v=spf1 ip4:192.0.2.1

[spf-ptr]
@ TXT v=spf1 ptr ip4:192.0.2.1 -all

[spf-unreached]
@ TXT v=spf1 ip4:192.0.2.1 -all include:good.fixtures.example

[spf-macro-target]
@ TXT v=spf1 include:%{i}.fixtures.example ip4:192.0.2.1 -all

[spf-too-long]
@ TXT v=spf1 ip4:198.51.100.1 ip4:198.51.100.2 ip4:198.51.100.3 ip4:198.51.100.4 ip4:198.51.100.5 ip4:198.51.100.6 ip4:198.51.100.7 ip4:198.51.100.8 ip4:198.51.100.9 ip4:198.51.100.10 ip4:198.51.100.11 ip4:198.51.100.12 ip4:198.51.100.13 ip4:198.51.100.14 ip4:198.51.100.15 ip4:198.51.100.16 ip4:198.51.100.17 ip4:198.51.100.18 ip4:198.51.100.19 ip4:198.51.100.20 ip4:198.51.100.21 ip4:198.51.100.22 ip4:198.51.100.23 ip4:198.51.100.24 ip4:198.51.100.25 -all

; DKIM, of the selector s1

[dkim-missing]
s1._domainkey TXT

[dkim-several]
s1._domainkey TXT v=DKIM1; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAkR7vVAtUiGaulzZ9IE+ofI35kquriUYTH65X16L7oeDXcP/Z8BAVgfB3YiJBZ916Z1XYJ5TcSCNGrp3mDmwabdJOnHj1U0GoDHFpBbho9229/na/0qMkBIyeptwSwxSVgDGy8GoDCHcHtx2APSRiEIFmCIKLUKwMWhLrxSb/HKq4NxTTHscTgkE19u+zE4jtRC7rgyiad5UPOYA5Mb3UtFE4HB6Wcx/SWh/L2wYPx42ACyLyCfLys2GzzvI3HXNMmapfOtJ8b74KrrZQtSIVxqzj/Cp78KCRhJ8OWcIuIgaplfEeHUYFAWRAYpjwg8jaq2+4CUzX3wnwKUdErYXczQIDAQAB
s1._domainkey TXT v=DKIM1; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC8ellSJY9i7Waw9105wCPmCJbmqJIaL1zOW+bKt5an/TrPlYxC2RupOEFJOAU+pvTzMsiSpPmM5rEk8VDNJwZZ7KlQRv2kVJQPm3e6GT8XgdR2SQK0J4Wl4sGXkgxAkpdqfkfbHktvyvy+D1m//YILoYByu8XNK0kduURH9l0RiwIDAQAB

[dkim-split]
s1._domainkey TXT v=DKIM1; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAkR7vVAtUiGaulzZ9IE+ofI35kquriUYTH65X16L7oeDXcP/Z8BAVgfB3YiJBZ916Z1XYJ5TcSCNGrp3mDmwabdJOnHj1U0GoDHFpBbho9229/na/0qMkBIyeptwSwxSVgDGy8GoDCHcHtx2APSRiEIFmCIKL
s1._domainkey TXT UKwMWhLrxSb/HKq4NxTTHscTgkE19u+zE4jtRC7rgyiad5UPOYA5Mb3UtFE4HB6Wcx/SWh/L2wYPx42ACyLyCfLys2GzzvI3HXNMmapfOtJ8b74KrrZQtSIVxqzj/Cp78KCRhJ8OWcIuIgaplfEeHUYFAWRAYpjwg8jaq2+4CUzX3wnwKUdErYXczQIDAQAB

[dkim-quotes]
s1._domainkey TXT "v=DKIM1; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAkR7vVAtUiGaulzZ9IE+ofI35kquriUYTH65X16L7oeDXcP/Z8BAVgfB3YiJBZ916Z1XYJ5TcSCNGrp3mDmwabdJOnHj1U0GoDHFpBbho9229/na/0qMkBIyeptwSwxSVgDGy8GoDCHcHtx2APSRiEIFmCIKLUKwMWhLrxSb/HKq4NxTTHscTgkE19u+zE4jtRC7rgyiad5UPOYA5Mb3UtFE4HB6Wcx/SWh/L2wYPx42ACyLyCfLys2GzzvI3HXNMmapfOtJ8b74KrrZQtSIVxqzj/Cp78KCRhJ8OWcIuIgaplfEeHUYFAWRAYpjwg8jaq2+4CUzX3wnwKUdErYXczQIDAQAB"

[dkim-syntax]
s1._domainkey TXT v=DKIM1; rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAkR7vVAtUiGaulzZ9IE+ofI35kquriUYTH65X16L7oeDXcP/Z8BAVgfB3YiJBZ916Z1XYJ5TcSCNGrp3mDmwabdJOnHj1U0GoDHFpBbho9229/na/0qMkBIyeptwSwxSVgDGy8GoDCHcHtx2APSRiEIFmCIKLUKwMWhLrxSb/HKq4NxTTHscTgkE19u+zE4jtRC7rgyiad5UPOYA5Mb3UtFE4HB6Wcx/SWh/L2wYPx42ACyLyCfLys2GzzvI3HXNMmapfOtJ8b74KrrZQtSIVxqzj/Cp78KCRhJ8OWcIuIgaplfEeHUYFAWRAYpjwg8jaq2+4CUzX3wnwKUdErYXczQIDAQAB

[dkim-version]
s1._domainkey TXT v=DKIM2; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAkR7vVAtUiGaulzZ9IE+ofI35kquriUYTH65X16L7oeDXcP/Z8BAVgfB3YiJBZ916Z1XYJ5TcSCNGrp3mDmwabdJOnHj1U0GoDHFpBbho9229/na/0qMkBIyeptwSwxSVgDGy8GoDCHcHtx2APSRiEIFmCIKLUKwMWhLrxSb/HKq4NxTTHscTgkE19u+zE4jtRC7rgyiad5UPOYA5Mb3UtFE4HB6Wcx/SWh/L2wYPx42ACyLyCfLys2GzzvI3HXNMmapfOtJ8b74KrrZQtSIVxqzj/Cp78KCRhJ8OWcIuIgaplfEeHUYFAWRAYpjwg8jaq2+4CUzX3wnwKUdErYXczQIDAQAB

[dkim-no-key]
s1._domainkey TXT v=DKIM1; k=rsa

[dkim-revoked]
s1._domainkey TXT v=DKIM1; p=

[dkim-type]
s1._domainkey TXT v=DKIM1; k=dsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAkR7vVAtUiGaulzZ9IE+ofI35kquriUYTH65X16L7oeDXcP/Z8BAVgfB3YiJBZ916Z1XYJ5TcSCNGrp3mDmwabdJOnHj1U0GoDHFpBbho9229/na/0qMkBIyeptwSwxSVgDGy8GoDCHcHtx2APSRiEIFmCIKLUKwMWhLrxSb/HKq4NxTTHscTgkE19u+zE4jtRC7rgyiad5UPOYA5Mb3UtFE4HB6Wcx/SWh/L2wYPx42ACyLyCfLys2GzzvI3HXNMmapfOtJ8b74KrrZQtSIVxqzj/Cp78KCRhJ8OWcIuIgaplfEeHUYFAWRAYpjwg8jaq2+4CUzX3wnwKUdErYXczQIDAQAB

[dkim-unreadable]
s1._domainkey TXT v=DKIM1; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAkR7vVAtUiGaulzZ9IE+ofI35kquriUYTH65X16L7oeDXcP/Z8BAVgfB3YiJBZ916Z1XYJ5TcSCNGrp3mDmwabdJOnHj1U0GoDHFpBbho9229/na/0qMkBIyeptwSwxSVgDGy8GoDCHcHtx2APSRiEIFmCIKL

[dkim-too-short]
s1._domainkey TXT v=DKIM1; p=MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBAKjcGKwk1QpxannTlNgIW7Lg7OjEWB+2FZWwUGyhQyegDQOOENh2DUR+Kh9y4dfxd/TvzbHbu2ZMGopXLdx7tkMCAwEAAQ==

[dkim-short]
s1._domainkey TXT v=DKIM1; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC8ellSJY9i7Waw9105wCPmCJbmqJIaL1zOW+bKt5an/TrPlYxC2RupOEFJOAU+pvTzMsiSpPmM5rEk8VDNJwZZ7KlQRv2kVJQPm3e6GT8XgdR2SQK0J4Wl4sGXkgxAkpdqfkfbHktvyvy+D1m//YILoYByu8XNK0kduURH9l0RiwIDAQAB

[dkim-hash]
s1._domainkey TXT v=DKIM1; h=sha1; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAkR7vVAtUiGaulzZ9IE+ofI35kquriUYTH65X16L7oeDXcP/Z8BAVgfB3YiJBZ916Z1XYJ5TcSCNGrp3mDmwabdJOnHj1U0GoDHFpBbho9229/na/0qMkBIyeptwSwxSVgDGy8GoDCHcHtx2APSRiEIFmCIKLUKwMWhLrxSb/HKq4NxTTHscTgkE19u+zE4jtRC7rgyiad5UPOYA5Mb3UtFE4HB6Wcx/SWh/L2wYPx42ACyLyCfLys2GzzvI3HXNMmapfOtJ8b74KrrZQtSIVxqzj/Cp78KCRhJ8OWcIuIgaplfEeHUYFAWRAYpjwg8jaq2+4CUzX3wnwKUdErYXczQIDAQAB

[dkim-service]
s1._domainkey TXT v=DKIM1; s=chat; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAkR7vVAtUiGaulzZ9IE+ofI35kquriUYTH65X16L7oeDXcP/Z8BAVgfB3YiJBZ916Z1XYJ5TcSCNGrp3mDmwabdJOnHj1U0GoDHFpBbho9229/na/0qMkBIyeptwSwxSVgDGy8GoDCHcHtx2APSRiEIFmCIKLUKwMWhLrxSb/HKq4NxTTHscTgkE19u+zE4jtRC7rgyiad5UPOYA5Mb3UtFE4HB6Wcx/SWh/L2wYPx42ACyLyCfLys2GzzvI3HXNMmapfOtJ8b74KrrZQtSIVxqzj/Cp78KCRhJ8OWcIuIgaplfEeHUYFAWRAYpjwg8jaq2+4CUzX3wnwKUdErYXczQIDAQAB

[dkim-testing]
s1._domainkey TXT v=DKIM1; t=y; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAkR7vVAtUiGaulzZ9IE+ofI35kquriUYTH65X16L7oeDXcP/Z8BAVgfB3YiJBZ916Z1XYJ5TcSCNGrp3mDmwabdJOnHj1U0GoDHFpBbho9229/na/0qMkBIyeptwSwxSVgDGy8GoDCHcHtx2APSRiEIFmCIKLUKwMWhLrxSb/HKq4NxTTHscTgkE19u+zE4jtRC7rgyiad5UPOYA5Mb3UtFE4HB6Wcx/SWh/L2wYPx42ACyLyCfLys2GzzvI3HXNMmapfOtJ8b74KrrZQtSIVxqzj/Cp78KCRhJ8OWcIuIgaplfEeHUYFAWRAYpjwg8jaq2+4CUzX3wnwKUdErYXczQIDAQAB

; DMARC

[dmarc-missing.example.]
@ MX 10 mx.fixtures.example
@ TXT v=spf1 ip4:192.0.2.0/24 -all

[dmarc-several]
_dmarc TXT v=DMARC1; p=none; rua=mailto:dmarc@fixtures.example
_dmarc TXT v=DMARC1; p=reject; rua=mailto:dmarc@fixtures.example

[dmarc-invalid]
_dmarc TXT v=DMARC1; p=none; p=reject; rua=mailto:dmarc@fixtures.example

[dmarc-no-policy]
_dmarc TXT v=DMARC1; p=rejct; rua=mailto:dmarc@fixtures.example

[dmarc-ignored]
_dmarc TXT v=DMARC1; p=reject; adkim=strict; rua=mailto:dmarc@fixtures.example

[dmarc-removed]
_dmarc TXT v=DMARC1; p=reject; pct=50; rua=mailto:dmarc@fixtures.example

[dmarc-test-mode]
_dmarc TXT v=DMARC1; p=reject; t=y; rua=mailto:dmarc@fixtures.example

[dmarc-none]
_dmarc TXT v=DMARC1; p=none; rua=mailto:dmarc@fixtures.example

[dmarc-subdomains]
_dmarc TXT v=DMARC1; p=reject; sp=none; rua=mailto:dmarc@fixtures.example

[dmarc-no-reports]
_dmarc TXT v=DMARC1; p=reject

[dmarc-report-address]
_dmarc TXT v=DMARC1; p=reject; rua=https://fixtures.example/dmarc

[dmarc-report-permission]
_dmarc TXT v=DMARC1; p=reject; rua=mailto:reports@collector.example

[dmarc-unaligned]
_dmarc TXT v=DMARC1; p=reject; aspf=s; rua=mailto:dmarc@fixtures.example
`;
