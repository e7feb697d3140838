//! One HTTP exchange with a provider: the key from the environment at the moment it is needed, one
//! connection pool for all, bounded reading, and errors in our own words.

use crate::limits;
use crate::model::ModelError;
use crate::model::failure::{Complaint, Origin, Trouble, explain, retry_after};
use crate::model::secret::Secret;
use crate::model::spec::ModelSpec;
use crate::model::surroundings::Surroundings;
use parking_lot::Mutex;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Response, Url};
use serde::Serialize;
use std::sync::OnceLock;

/// How a key is shown to a provider.
#[derive(Debug, Clone, Copy)]
pub(crate) enum KeyHeader {
    /// `Authorization: Bearer …`
    Bearer,
    /// `x-api-key: …`
    XApiKey,
}

/// Where the requests of one model go.
pub(crate) struct Endpoint {
    /// Provider and host, for the user.
    place: String,
    base_url: String,
    key_names: Vec<String>,
    key_required: bool,
    key_command: Option<Vec<String>>,
    provider: String,
    /// Where a stored key has to belong to.
    host: Option<String>,
    /// The key of the last request, to be cut out of what the provider answers.
    used: Mutex<Option<Secret>>,
    surroundings: Surroundings,
}

impl Endpoint {
    pub(crate) fn new(spec: &ModelSpec, surroundings: Surroundings) -> Self {
        let base_url = spec.base_url.trim_end_matches('/').to_owned();
        let host = Url::parse(&base_url).ok().and_then(|url| {
            let host = url.host_str()?.to_owned();
            Some(url.port().map_or(host.clone(), |port| format!("{host}:{port}")))
        });
        Self {
            place: format!("{} ({})", spec.provider, host.as_deref().unwrap_or(&base_url)),
            base_url,
            key_names: spec.key_names.clone(),
            key_required: spec.key_required,
            key_command: spec.key_command.clone(),
            provider: spec.provider.clone(),
            host: Url::parse(&spec.base_url).ok().as_ref().and_then(host_of),
            used: Mutex::default(),
            surroundings,
        }
    }

    /// Sends `body` as JSON and gives the answer once its head says that events follow.
    pub(crate) async fn post(
        &self,
        path: &str,
        key_header: KeyHeader,
        extra: &[(&'static str, &'static str)],
        body: &impl Serialize,
    ) -> Result<Response, ModelError> {
        let url = self.url(path)?;
        let mut headers = self.headers(key_header).await?;
        for (name, value) in extra {
            headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        let body = serde_json::to_vec(body)
            .map_err(|error| ModelError::Fatal(format!("The request could not be written: {error}")))?;
        let sent = client(&url)?.post(url).headers(headers).body(body).send().await;
        let response = sent.map_err(|error| self.explain(Trouble::Network(reason(&error))))?;
        self.check(response).await
    }

    /// Puts a trouble with this provider into words.
    pub(crate) fn explain(&self, trouble: Trouble) -> ModelError {
        let key = self.used.lock().clone();
        explain(trouble, &Origin { place: &self.place, key_names: &self.key_names, key: key.as_ref() })
    }

    /// The key: from the environment, from the user's command, or as it was stored for this host.
    async fn key(&self) -> Result<Option<Secret>, ModelError> {
        let key = match self.key_names.iter().find_map(|name| self.surroundings.variable(name)) {
            Some(key) => Some(Secret::new(&key)),
            None => match &self.key_command {
                Some(command) => Some(self.surroundings.keys.answer_of(command).await),
                None => self.stored().await.transpose(),
            }
            .transpose()
            .map_err(|words| ModelError::Unauthorized(format!("{}: {words}", self.place)))?,
        };
        self.used.lock().clone_from(&key);
        Ok(key)
    }

    async fn stored(&self) -> Result<Option<Secret>, String> {
        let known = |host: &String| self.key_required || self.surroundings.keys.has(&self.provider, host);
        let Some(host) = self.host.clone().filter(known) else { return Ok(None) };
        let (keys, provider) = (std::sync::Arc::clone(&self.surroundings.keys), self.provider.clone());
        let look = tokio::task::spawn_blocking(move || keys.stored(&provider, &host));
        look.await.unwrap_or_else(|_| Err("the stored keys could not be looked up".to_owned()))
    }

    /// The address of `path`; a base that already ends with the path's version is not doubled.
    fn url(&self, path: &str) -> Result<Url, ModelError> {
        let versioned = path.strip_prefix("/v1").filter(|_| self.base_url.ends_with("/v1"));
        let text = format!("{}{}", self.base_url, versioned.unwrap_or(path));
        let url = Url::parse(&text).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        url.ok_or_else(|| {
            ModelError::Fatal(format!(
                "`{text}` is no HTTP address. Mend `baseUrl` of provider {}.",
                self.place
            ))
        })
    }

    async fn headers(&self, key_header: KeyHeader) -> Result<HeaderMap, ModelError> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream"));
        let Some(key) = self.key().await? else {
            return match (self.key_required, self.key_names.as_slice()) {
                (false, _) => Ok(headers),
                (true, []) => Err(ModelError::Unauthorized(format!(
                    "{} needs a key: set `apiKeyEnv` of this provider, or run `assent login {}`.",
                    self.place, self.provider
                ))),
                (true, names) => Err(ModelError::Unauthorized(format!(
                    "{} needs a key: set {} in the environment that Assent starts in, or run `assent login {}`.",
                    self.place,
                    names.join(" or "),
                    self.provider
                ))),
            };
        };
        let (name, prefix) = match key_header {
            KeyHeader::Bearer => ("authorization", "Bearer "),
            KeyHeader::XApiKey => ("x-api-key", ""),
        };
        let value = key.header(prefix).ok_or_else(|| {
            ModelError::Unauthorized(format!("The key of {} has characters that no key has.", self.place))
        })?;
        headers.insert(HeaderName::from_static(name), value);
        Ok(headers)
    }

    /// Turns an error answer, or one that does not stream, into an error.
    async fn check(&self, response: Response) -> Result<Response, ModelError> {
        let status = response.status();
        let is_json = response
            .headers()
            .get(CONTENT_TYPE)
            .is_some_and(|value| value.as_bytes().starts_with(b"application/json"));
        if status.is_success() && !is_json {
            return Ok(response);
        }
        if status == reqwest::StatusCode::UNAUTHORIZED {
            self.surroundings.keys.refused(self.key_command.as_deref());
        }
        let pause = retry_after(response.headers(), (self.surroundings.clock)());
        let body = read_bounded(response, limits::MODEL_ERROR_BYTES).await;
        if status.is_success() {
            let value = serde_json::from_str(&body).unwrap_or_default();
            let complaint = Some(Complaint::from_value(&value))
                .filter(|_| value.get("error").is_some_and(|error| !error.is_null()));
            return Err(self.explain(match complaint {
                Some(complaint) => Trouble::Said(complaint),
                None => Trouble::Nonsense("JSON instead of an event stream".to_owned()),
            }));
        }
        Err(self.explain(Trouble::Said(Complaint::from_body(Some(status.as_u16()), &body, pause))))
    }
}

/// The body's text up to `limit` bytes; what does not come is left out.
pub(crate) async fn read_bounded(mut response: Response, limit: usize) -> String {
    let mut bytes = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        let room = limit.saturating_sub(bytes.len());
        bytes.extend_from_slice(&chunk[..chunk.len().min(room)]);
        if bytes.len() >= limit {
            break;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// An error with its causes; reqwest keeps what matters in the causes. The address is left out: a
/// user's base URL may hold a password.
pub(crate) fn reason(error: &reqwest::Error) -> String {
    let mut text = match (error.is_timeout(), error.is_connect()) {
        (true, _) => "no answer in time".to_owned(),
        (_, true) => "no connection".to_owned(),
        _ => "the connection broke".to_owned(),
    };
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        cause = inner.source();
    }
    text
}

/// The one client for the network, and the one for this machine: the second takes no proxy, and no
/// certificates are loaded for plain HTTP. Both are built when first needed.
pub(crate) fn client(url: &Url) -> Result<&'static Client, ModelError> {
    static NETWORK: OnceLock<Result<Client, String>> = OnceLock::new();
    static LOOPBACK: OnceLock<Result<Client, String>> = OnceLock::new();
    let built = if is_loopback(url) && url.scheme() == "http" {
        LOOPBACK.get_or_init(|| build(Client::builder().no_proxy().tls_certs_only([])))
    } else {
        NETWORK.get_or_init(|| build(Client::builder()))
    };
    built.as_ref().map_err(|reason| ModelError::Fatal(format!("No HTTP client could be made: {reason}")))
}

fn build(builder: reqwest::ClientBuilder) -> Result<Client, String> {
    // Fails where one is installed already, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    builder
        .user_agent(concat!("assent/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(limits::MODEL_CONNECT_TIME)
        .read_timeout(limits::MODEL_IDLE_TIME)
        // A redirect would carry the key to another host.
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .map_err(|error| error.to_string())
}

/// The host of an address with its port: what a key belongs to.
pub(crate) fn host_of(url: &Url) -> Option<String> {
    Some(format!("{}:{}", url.host_str()?.to_ascii_lowercase(), url.port_or_known_default()?))
}

/// Whether an address is on this machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(url::Host::Domain(name)) => name.eq_ignore_ascii_case("localhost"),
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}
