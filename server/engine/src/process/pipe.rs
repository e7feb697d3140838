//! The reading end of a child's output. Both its streams write into one pipe, so that what it
//! says keeps its order.

use std::io;

/// What the pipe holds at this moment.
pub(super) enum Now<'a> {
    /// Bytes.
    Bytes(&'a [u8]),
    /// Nothing, but somebody may still write.
    Nothing,
    /// Nobody can write any more.
    End,
}

#[cfg(unix)]
pub(super) use unix::Pipe;

#[cfg(unix)]
mod unix {
    use super::{Now, io};
    use crate::limits;
    use std::io::PipeWriter;
    use tokio::io::AsyncReadExt;
    use tokio::net::unix::pipe::Receiver;

    /// A pipe that is read without blocking.
    pub(in super::super) struct Pipe {
        receiver: Receiver,
        buffer: Box<[u8]>,
    }

    impl Pipe {
        pub(in super::super) fn new() -> io::Result<(Self, PipeWriter)> {
            let (reader, writer) = io::pipe()?;
            let receiver = Receiver::from_owned_fd(reader.into())?;
            Ok((Self { receiver, buffer: vec![0; limits::PIPE_BYTES].into() }, writer))
        }

        /// Waits for more; `None` when nobody can write any more. Nothing is lost when dropped.
        pub(in super::super) async fn next(&mut self) -> io::Result<Option<&[u8]>> {
            let count = self.receiver.read(&mut self.buffer).await?;
            Ok((count > 0).then(|| &self.buffer[..count]))
        }

        /// Asks the pipe itself: the runtime may not have noticed yet what is in it.
        pub(in super::super) fn next_now(&mut self) -> io::Result<Now<'_>> {
            match rustix::io::read(&self.receiver, &mut *self.buffer) {
                Ok(0) => Ok(Now::End),
                Ok(count) => Ok(Now::Bytes(&self.buffer[..count])),
                Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => Ok(Now::Nothing),
                Err(error) => Err(error.into()),
            }
        }
    }
}

#[cfg(not(unix))]
pub(super) use threaded::Pipe;

#[cfg(not(unix))]
mod threaded {
    use super::{Now, io};
    use crate::limits;
    use std::io::{PipeWriter, Read};
    use tokio::sync::mpsc;
    use tokio::sync::mpsc::error::TryRecvError;

    /// A pipe that a thread reads; the thread ends when nobody can write any more.
    pub(in super::super) struct Pipe {
        chunks: mpsc::Receiver<Vec<u8>>,
        current: Vec<u8>,
    }

    impl Pipe {
        pub(in super::super) fn new() -> io::Result<(Self, PipeWriter)> {
            let (mut reader, writer) = io::pipe()?;
            let (sender, chunks) = mpsc::channel(4);
            std::thread::spawn(move || {
                let mut buffer = vec![0; limits::PIPE_BYTES];
                while let Ok(count @ 1..) = reader.read(&mut buffer) {
                    if sender.blocking_send(buffer[..count].to_vec()).is_err() {
                        break;
                    }
                }
            });
            Ok((Self { chunks, current: Vec::new() }, writer))
        }

        pub(in super::super) async fn next(&mut self) -> io::Result<Option<&[u8]>> {
            let Some(chunk) = self.chunks.recv().await else { return Ok(None) };
            self.current = chunk;
            Ok(Some(&self.current))
        }

        pub(in super::super) fn next_now(&mut self) -> io::Result<Now<'_>> {
            match self.chunks.try_recv() {
                Ok(chunk) => {
                    self.current = chunk;
                    Ok(Now::Bytes(&self.current))
                }
                Err(TryRecvError::Empty) => Ok(Now::Nothing),
                Err(TryRecvError::Disconnected) => Ok(Now::End),
            }
        }
    }
}
